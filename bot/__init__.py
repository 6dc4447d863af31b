"""The conversation, platform-neutral: commands, intake, threads, cards, feedback, delivery."""
