# One image for every service: the command decides which. `docker build -t dmarc-ledger .`

# The manifests alone, so that a change of sources does not install again.
FROM node:24-bookworm-slim AS manifests
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages packages
COPY services services
RUN find packages services -type f ! -name package.json -delete

# The embedded PostgreSQL is an optional dependency and stays out: in an image the database is DATABASE_URL.
FROM node:24-bookworm-slim AS dependencies
WORKDIR /app
COPY --from=manifests /app ./
RUN npm ci --omit=dev --omit=optional --ignore-scripts && npm cache clean --force

FROM node:24-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production DATA_DIR=/data
COPY --from=dependencies /app ./
COPY package.json LICENSE ./
COPY bin bin
COPY scripts/node24.js scripts/node24.js
COPY migrations migrations
COPY packages packages
COPY services services
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8080 8081 9090
ENTRYPOINT ["node", "bin/dmarc-ledger.js"]
CMD ["--help"]
