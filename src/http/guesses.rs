//! Codes and tokens that people and programs say: compared without telling how nearly, and not as fast as one likes.

use super::AppState;
use crate::{
    engine::server::now,
    error::{AppError, Code},
};
use std::{
    collections::HashMap,
    net::{IpAddr, Ipv6Addr},
    sync::{Mutex, PoisonError},
};

/// Wrong guesses an address has within a minute of the first.
const WRONG: u32 = 10;
const MINUTE_MS: i64 = 60_000;

/// By address when its first wrong guess was made (Unix milliseconds), and how many there were since.
#[derive(Default)]
pub struct Guesses(Mutex<HashMap<IpAddr, (i64, u32)>>);

impl Guesses {
    /// Counts a wrong guess. `None` once there were too many: then not even a right one is heard.
    fn count(&self, address: IpAddr, right: bool, at: i64) -> Option<bool> {
        let mut guesses = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        guesses.retain(|_, (since, _)| at - *since < MINUTE_MS);
        let address = block(address);
        if guesses.get(&address).is_some_and(|(_, wrong)| *wrong >= WRONG) {
            return None;
        }
        if !right {
            guesses.entry(address).or_insert((at, 0)).1 += 1;
        }
        Some(right)
    }
}

/// Whoever has one address of version 6 has the whole block it is in.
pub fn block(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V6(six) if six.to_ipv4_mapped().is_none() => Ipv6Addr::from_bits(six.to_bits() & (u128::MAX << 64)).into(),
        other => other,
    }
}

impl AppState {
    /// Is that the secret? An error when this address has guessed wrong too often.
    pub(super) fn guess(&self, address: IpAddr, said: &str, secret: &str) -> Result<bool, AppError> {
        self.guesses.count(address, self.signer.same(said, secret), now()).ok_or_else(|| {
            AppError::new(Code::TooMany, "There were too many wrong guesses from your address.").remedy("Wait a minute, then try again.")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_wrong_guesses_a_minute_silence_an_address() {
        let (guesses, other) = (Guesses::default(), IpAddr::from([10, 0, 0, 1]));
        let six = |last: u16| IpAddr::from([0x2001, 0xdb8, 0, 1, 0, 0, 0, last]);
        for i in 0..WRONG {
            assert_eq!(guesses.count(six(0), true, 7), Some(true));
            assert_eq!(guesses.count(six(i as u16), false, 7 + i64::from(i)), Some(false));
        }
        for right in [false, true] {
            assert_eq!(guesses.count(six(99), right, 7 + MINUTE_MS - 1), None);
        }
        assert_eq!((guesses.count(other, false, 17), guesses.count(six(0), true, 7 + MINUTE_MS)), (Some(false), Some(true)));
    }
}
