"""Does a model that is shown feedback on a program blame the right tokens?"""
