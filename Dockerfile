ARG NODE_IMAGE=node:24.21.0-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY clients/typescript/package.json clients/typescript/
RUN npm ci --no-audit --no-fund
COPY tsconfig.json ./
COPY scripts/build.js scripts/dashboard-files.js scripts/lua-files.js scripts/thread-files.js scripts/
COPY clients/typescript clients/typescript
COPY src src
RUN npm run build

FROM ${NODE_IMAGE}
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/dist dist
COPY package.json ./
RUN mkdir /data && chown node:node /data
ENV STORE_PATH=/data
VOLUME /data
USER node
EXPOSE 8080
# Liveness only: a store that is away for a while is no reason to restart the process.
HEALTHCHECK --interval=10s --timeout=3s --start-period=15s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 8080}/health/live`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
# Half the memory under load, for about a tenth of the throughput of single adds (docs/performance.md).
CMD ["node", "--max-semi-space-size=8", "dist/main.js"]
