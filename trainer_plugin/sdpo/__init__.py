"""Self-distillation (SDPO): the model that is shown feedback on its attempt teaches itself."""
