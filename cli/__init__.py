"""The command line of the library, installed as `ocaml_reward_cli`.

It decides nothing about rewards.
"""
