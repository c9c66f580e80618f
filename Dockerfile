# Every step that installs something is scripts/setup, the script behind `make score`.

FROM debian:bookworm-slim AS system
WORKDIR /opt/ocaml-reward
COPY scripts/setup scripts/setup
RUN scripts/setup --system && rm -rf /var/lib/apt/lists/*

FROM system AS build
ENV OCAML_REWARD_CACHE=/opt/ocaml-reward/cache
COPY . .
RUN scripts/setup && .venv/bin/ocaml-reward engine build

FROM system
COPY --from=build /opt/ocaml-reward /opt/ocaml-reward
RUN useradd --create-home --uid 1000 scorer
ENV OCAML_REWARD_CACHE=/opt/ocaml-reward/cache \
    PATH=/opt/ocaml-reward/.venv/bin:$PATH
USER scorer
WORKDIR /home/scorer
ENTRYPOINT ["ocaml-reward"]
CMD ["doctor"]
