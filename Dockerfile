# A static binary in an empty image: no shell, no libc, no user but this one.
FROM golang:1.26 AS construir
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -ldflags="-s -w" -o /oracle-mcp ./cmd/oracle-mcp

FROM scratch
COPY --from=construir /oracle-mcp /oracle-mcp
USER 65534:65534
VOLUME /proyecto
ENV ORACLE_PROYECTO=/proyecto
ENTRYPOINT ["/oracle-mcp"]
