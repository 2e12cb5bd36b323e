//! Tests of the server as a process: killed, watched by a collector of traces, and against a real inference server.

mod kill;
mod process;
mod real_server;
mod traces;
