//! Tests of the server as a process: killed, against a real inference server, and from a cassette.

mod cassette;
mod kill;
mod process;
mod real_server;
