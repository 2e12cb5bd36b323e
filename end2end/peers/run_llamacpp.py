#!/usr/bin/env python3
"""The REAL llama.cpp HTTP server (via PyPI xllamacpp) on 127.0.0.1: run_llamacpp.py MODEL.gguf PORT [--embedding]"""
import sys, os, signal, threading, xllamacpp as x
p = x.CommonParams(); p.model.path = sys.argv[1]; p.hostnames = ["127.0.0.1"] if isinstance(p.hostnames, list) else "127.0.0.1"
p.port = int(sys.argv[2]); p.n_ctx = 16384; p.n_parallel = 2; p.warmup = False; p.use_jinja = True; p.endpoint_metrics = True
p.cpuparams.n_threads = 1; p.n_predict = 256; p.model_alias = {"tiny-random"} if not isinstance(p.model_alias, str) else "tiny-random"
if "--embedding" in sys.argv: p.embedding = True; p.pooling_type = x.llama_pooling_type.LLAMA_POOLING_TYPE_MEAN
if os.environ.get("API_KEY"): p.api_keys = [os.environ["API_KEY"]]
s = x.Server(p); print("listening", s.listening_address, "pid", os.getpid(), flush=True)
e = threading.Event(); signal.signal(signal.SIGTERM, lambda *a: e.set()); e.wait()
