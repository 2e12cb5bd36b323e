//! Tests of the server as a process: killed, against a real inference server and against scripted providers.

mod aimock;
mod kill;
mod process;
mod real_server;
