"""The shell around the library, installed as `ocaml_reward_cli`: it translates, and decides
nothing about rewards.
"""
