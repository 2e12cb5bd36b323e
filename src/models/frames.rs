//! Server-sent events from bytes, by their specification. Pure, takes each byte once, and keeps no more
//! than one frame of a bounded length.

/// A frame that is longer is refused, so that no provider fills the memory.
pub const MAX_FRAME: usize = 1024 * 1024;

#[derive(Default)]
pub struct Frames {
    /// The line so far: bytes, since a letter may be cut in two.
    line: Vec<u8>,
    data: Option<String>,
    begun: bool,
    after_cr: bool,
}

#[derive(Debug, PartialEq)]
pub struct TooLong;

impl Frames {
    /// The data of each frame that these bytes bring to its end.
    pub fn take(&mut self, bytes: &[u8]) -> Result<Vec<String>, TooLong> {
        let (mut whole, mut rest) = (Vec::new(), bytes);
        while let Some(end) = rest.iter().position(|byte| matches!(byte, b'\r' | b'\n')) {
            self.keep(&rest[..end])?;
            let lf = rest[end] == b'\n';
            // The second half of \r\n ends no line.
            if !(lf && self.after_cr) {
                whole.extend(self.end_line());
            }
            self.after_cr = !lf;
            rest = &rest[end + 1..];
        }
        self.keep(rest)?;
        Ok(whole)
    }

    fn keep(&mut self, bytes: &[u8]) -> Result<(), TooLong> {
        self.after_cr &= bytes.is_empty();
        self.line.extend_from_slice(bytes);
        let data = self.data.as_ref().map_or(0, String::len);
        if self.line.len() + data > MAX_FRAME { Err(TooLong) } else { Ok(()) }
    }

    fn end_line(&mut self) -> Option<String> {
        let bytes = std::mem::take(&mut self.line);
        let line = String::from_utf8_lossy(&bytes);
        // The file may begin with a byte order mark.
        let line = if std::mem::replace(&mut self.begun, true) { &*line } else { line.trim_start_matches('\u{feff}') };
        if line.is_empty() {
            return self.data.take();
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        if field == "data" {
            let value = value.strip_prefix(' ').unwrap_or(value);
            match &mut self.data {
                Some(data) => {
                    data.push('\n');
                    data.push_str(value);
                }
                None => self.data = Some(value.to_owned()),
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// However the bytes are cut, the frames are the same.
    fn check(bytes: &[u8], expect: &[&str]) {
        let all = |pieces: &[&[u8]]| {
            let mut frames = Frames::default();
            pieces.iter().flat_map(|piece| frames.take(piece).expect("short")).collect::<Vec<_>>()
        };
        let bytewise: Vec<&[u8]> = bytes.chunks(1).collect();
        assert_eq!(all(&bytewise), expect, "{bytes:?} byte by byte");
        for cut in 0..=bytes.len() {
            assert_eq!(all(&[&bytes[..cut], &[], &bytes[cut..]]), expect, "{bytes:?} cut at {cut}");
        }
    }

    #[test]
    fn frames_by_the_specification() {
        check(b"data: a\n\ndata: b\n\n", &["a", "b"]);
        check(b"data: a\r\n\r\ndata: b\r\n\r\n", &["a", "b"]);
        check(b"data:a\r\rdata:b\r\r", &["a", "b"]);
        check(b"data: a\r\n\ndata: b\n\r\n", &["a", "b"]);
        check(b": comment\n\n:\n\ndata: a\n: another\n\n", &["a"]);
        check(b"data: {\ndata: \"a\": 1}\n\n", &["{\n\"a\": 1}"]);
        check(b"data:  two spaces\n\n", &[" two spaces"]);
        check(b"data\ndata: a\n\ndata:\n\n", &["\na", ""]);
        check(b"event: x\nid: 7\nretry: 9\nunknown\ndata: a\n\n", &["a"]);
        check("\u{feff}data: 5 €\n\ndata: 😀\r\n\r\n".as_bytes(), &["5 €", "😀"]);
        check(b"data: \xff!\n\n", &["\u{fffd}!"]);
        // What no empty line has closed is no frame.
        check(b"data: a\n\ndata: half\n", &["a"]);
        check(b"", &[]);
    }

    #[test]
    fn a_frame_may_be_long_but_not_endless() {
        let piece = [b'x'; 1024];
        let mut frames = Frames::default();
        assert_eq!(frames.take(b"data: "), Ok(vec![]));
        for _ in 0..1023 {
            assert_eq!(frames.take(&piece), Ok(vec![]));
        }
        assert_eq!(frames.take(b"\n\n").map(|frames| frames[0].len()), Ok(1023 * 1024));
        // In one line or in many; comments are forgotten at once.
        let endless = |bytes: &[u8]| {
            let mut frames = Frames::default();
            (0..4096).position(|_| frames.take(bytes).is_err())
        };
        assert_eq!(endless(&piece), Some(1024));
        assert!(endless(&[b"data: ", piece.as_slice(), b"\n"].concat()).is_some());
        assert_eq!(endless(&[b": ", piece.as_slice(), b"\n"].concat()), None);
    }
}
