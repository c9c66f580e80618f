let now = Clock.now ()
