"""RemoteEngine: the engine seam over HTTP, with httpx and stamina (the extra `remote`)."""
