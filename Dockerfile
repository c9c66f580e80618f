# Every step that installs something is scripts/setup, the script behind `make score`.

FROM debian:bookworm-slim AS system
WORKDIR /opt/ocaml-reward
COPY scripts/setup scripts/setup
RUN scripts/setup --system && rm -rf /var/lib/apt/lists/*

FROM system AS build
COPY . .
RUN scripts/setup && .venv/bin/ocaml-reward engine build

FROM system
RUN useradd --create-home --uid 1000 scorer
COPY --from=build /opt/ocaml-reward /opt/ocaml-reward
# The user owns what is built ahead, because roots for further findlib packages are
# added when a problem first asks for one.
COPY --from=build --chown=scorer:scorer /var/cache/ocaml-reward /var/cache/ocaml-reward
ENV OCAML_REWARD_CACHE=/var/cache/ocaml-reward \
    PATH=/opt/ocaml-reward/.venv/bin:$PATH
USER scorer
WORKDIR /home/scorer
ENTRYPOINT ["ocaml-reward"]
CMD ["doctor"]
