"""Is a cheat that pays seen by the impossible twins, and before any other sign?"""
