"""The resources server, as NeMo Gym starts it."""

from trainer_plugin.adapters.nemo_gym import OCamlResourcesServer

if __name__ == "__main__":
    OCamlResourcesServer.run_webserver()
