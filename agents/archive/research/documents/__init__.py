"""Documents annotated for one molecule, and what they state of doses, schedules, routes and terminations."""
