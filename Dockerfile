ARG NODE_IMAGE=node:24.21.0-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY clients/typescript/package.json clients/typescript/
RUN npm ci --no-audit --no-fund
COPY tsconfig.json ./
COPY scripts/*.js scripts/
COPY clients clients
COPY src src
RUN npm run build
# What Node.js compiled of the service once, the user of the image need not compile at each start.
RUN node scripts/compile-cache.js
# Any user may write to a new volume at /data, which takes over the rights of the folder.
RUN mkdir --parents --mode=1777 /volumes/data

FROM ${NODE_IMAGE}
ARG REVISION=unknown
LABEL org.opencontainers.image.title="jobgate" \
  org.opencontainers.image.description="An HTTP gateway to job queues" \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.version="0.1.0" \
  org.opencontainers.image.revision="$REVISION"
ENV NODE_ENV=production STORE_PATH=/data
WORKDIR /app
# Nothing runs in this stage, so that an image for another processor needs no emulation of it.
COPY --from=build /volumes /
COPY --from=build /app/dist dist
COPY --from=build /app/.compile-cache .compile-cache
COPY package.json ./
VOLUME /data
# By number: Kubernetes cannot tell that a name is not root.
USER 1000:1000
EXPOSE 8080
# Liveness only: a store that is away for a while is no reason to restart the process.
HEALTHCHECK --interval=10s --timeout=3s --start-period=15s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 8080}/health/live`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
# Half the memory under load, for about a tenth of the throughput of single adds (docs/performance.md).
# A command of jobgate may follow: docker run IMAGE store check /data.
ENTRYPOINT ["node", "--max-semi-space-size=8", "dist/main.js"]
