# Every step that installs something is scripts/setup, the script behind `make score`.
#
#   docker build -t ocaml-reward .                          the command ocaml-reward
#   docker build -t ocaml-reward-server --target server .   a server that grades for others
#
# Pin the base by its digest where images have to be the same: --build-arg BASE=debian@sha256:...

ARG BASE=debian:bookworm-slim

FROM ${BASE} AS system
WORKDIR /opt/ocaml-reward
COPY scripts/setup scripts/setup
RUN scripts/setup --system && rm -rf /var/lib/apt/lists/*

FROM system AS build
COPY . .
RUN scripts/setup \
 && .venv/bin/python -m pip install --no-cache-dir --editable '.[serve,remote,report]' \
 && .venv/bin/ocaml-reward engine build \
 && rm -rf tests benchmarks experiments docs

FROM system AS base
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

FROM base AS server
EXPOSE 8700
# Any address but a loopback one needs a token: --env OCAML_REWARD_TOKEN=...
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
  CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8700/healthz', timeout=4)"]
CMD ["serve", "--host", "0.0.0.0"]

FROM base
CMD ["doctor"]
