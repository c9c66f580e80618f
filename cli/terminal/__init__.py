"""What the commands share: consoles, text on its way there, options, exit codes."""
