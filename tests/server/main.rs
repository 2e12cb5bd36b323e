//! Tests of the server as a process: killed, watched by a collector of traces, from a cassette, against a real inference
//! server and against scripted providers.

mod aimock;
mod cassette;
mod kill;
mod process;
mod real_server;
mod traces;
