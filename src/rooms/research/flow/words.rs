//! Texts as people hand them in.

#[derive(Debug, PartialEq, thiserror::Error)]
pub enum Fault {
    #[error("This is empty.")]
    Empty,
    #[error("This has {0} characters; {1} are the most.")]
    Long(usize, usize),
    #[error("This holds control characters, which no person types.")]
    Control,
}

impl Fault {
    pub fn with(&self, remedy: &str) -> String {
        if *self == Fault::Empty { format!("{self} {remedy}") } else { self.to_string() }
    }
}

pub fn check(text: &str, max: usize) -> Result<(), Fault> {
    let chars = text.chars().count();
    match () {
        () if text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t')) => Err(Fault::Control),
        () if text.trim().is_empty() => Err(Fault::Empty),
        () if chars > max => Err(Fault::Long(chars, max)),
        () => Ok(()),
    }
}

pub fn shortened(line: &str, most: usize) -> String {
    if line.chars().count() <= most {
        line.to_owned()
    } else {
        format!("{}…", line.chars().take(most - 1).collect::<String>().trim_end())
    }
}
