//! Tests of the server as a process: killed, and against a real inference server.

mod kill;
mod process;
mod real_server;
