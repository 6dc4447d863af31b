"""Research sections as rules write them: the leading sentences, and tables of all that was found."""
