//! Splits expressions into tokens.

use super::Read;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Number(i64),
    /// A quoted text.
    Quoted(String),
    /// A name or a word such as `and`.
    Word(String),
    /// An operator or a bracket, of one or two characters.
    Sign(&'static str),
}

/// The symbols; a symbol stands before its prefixes.
const SIGNS: [&str; 22] = [
    "||", "&&", "==", "!=", "<=", ">=", "..", "<", ">", "!", "?", ":", "+", "-", "*", "/", "%", "(", ")", "[", "]", ",",
];

/// Splits a text into tokens.
///
/// # Errors
/// A character that begins no token, an unclosed quote, or a number of more than 64 bits.
pub(super) fn tokens(text: &str) -> Read<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let (token, length) = if first.is_ascii_digit() {
            let length = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            let number = rest[..length].parse().map_err(|_| format!("the number {} is too large", &rest[..length]))?;
            (Token::Number(number), length)
        } else if first.is_alphabetic() || first == '_' {
            let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            (Token::Word(rest[..length].to_owned()), length)
        } else if first == '\'' {
            let length = rest[1..].find('\'').ok_or("a quote does not end")?;
            (Token::Quoted(rest[1..=length].to_owned()), length + 2)
        } else {
            let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
            let sign = sign.ok_or_else(|| format!("unexpected character `{first}`"))?;
            (Token::Sign(sign), sign.len())
        };
        tokens.push(token);
        rest = rest[length..].trim_start();
    }
    Ok(tokens)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_need_no_spaces() {
        let spaced = "x1 <= - 3 .. _n && ! ( 'a b' != größe ) || c [ 0 , 1 ] ? 2 : 3 % 4";
        let read = |text: &str| tokens(text).unwrap();
        assert_eq!(read(spaced).len(), 26);
        assert_eq!(read("x1<=-3.._n&&!('a b'!=größe)||c[0,1]?2:3%4"), read(spaced));
        assert_eq!(read("''"), [Token::Quoted(String::new())]);
        assert_eq!(read("'ä'x"), [Token::Quoted("ä".to_owned()), Token::Word("x".to_owned())]);
        assert!(tokens("9223372036854775808").is_err() && tokens("'a").is_err() && tokens("a = b").is_err());
    }
}
