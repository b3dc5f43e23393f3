//! TOML in which no character is hidden.

use crate::diagnostic::{is_hidden, push_escape};
use std::borrow::Cow;
use toml_parser::Source;
use toml_parser::lexer::TokenKind;

/// Returns the same TOML with the hidden characters of its strings as escapes: `\u009B`. Literal strings with such
/// characters become basic ones, since they have no escapes. Comments stay as they are.
#[must_use]
pub fn visible(toml: &str) -> Cow<'_, str> {
    if !toml.contains(is_escaped) {
        return Cow::Borrowed(toml);
    }
    let mut out = String::with_capacity(toml.len());
    for token in Source::new(toml).lex() {
        let text = &toml[token.span().start()..token.span().end()];
        let quotes = match token.kind() {
            _ if !text.contains(is_escaped) => 0,
            TokenKind::LiteralString => 1,
            TokenKind::MlLiteralString => 3,
            TokenKind::BasicString | TokenKind::MlBasicString => {
                text.chars().for_each(|letter| push(&mut out, letter));
                continue;
            }
            _ => 0,
        };
        match text.len().checked_sub(quotes).and_then(|end| text.get(quotes..end)).filter(|_| quotes > 0) {
            None => out += text,
            Some(content) => {
                out.extend(std::iter::repeat_n('"', quotes));
                for letter in content.chars() {
                    if matches!(letter, '"' | '\\') {
                        out.push('\\');
                    }
                    push(&mut out, letter);
                }
                out.extend(std::iter::repeat_n('"', quotes));
            }
        }
    }
    Cow::Owned(out)
}

fn push(out: &mut String, letter: char) {
    if is_escaped(letter) { push_escape(out, letter) } else { out.push(letter) }
}

/// Returns whether a character is escaped: hidden, and no part of a line end.
fn is_escaped(letter: char) -> bool {
    is_hidden(letter) && letter != '\r'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_value_stays_and_nothing_is_hidden() {
        let evil = "a\u{9b}1\u{202e}\"\\\u{200d}\u{e0041}";
        let toml = format!(
            "# c\ntitle = '{evil}'\r\ntext = '''\n{evil}\n{evil}'''\nbasic = \"a\u{9b}\\\"\"\nlong = \"\"\"\n\u{200b}\\\n  x\"\"\"\n\
             'k\u{200b}' = [1, 'plain\\', {{ a = '{evil}' }}]\n"
        );
        let written = visible(&toml);
        assert!(!written.contains(is_escaped), "{written}");
        let table = |text: &str| text.parse::<toml::Table>().unwrap_or_else(|error| panic!("{error}: {text}"));
        assert_eq!(table(&written), table(&toml));
        assert!(written.contains("title = \"a\\u009B1\\u202E\\\"\\\\\\u200D\\U000E0041\"\r\n"), "{written}");
        assert!(written.contains("'plain\\'"), "a string without hidden characters changes: {written}");
    }

    #[test]
    fn text_without_hidden_characters_is_not_copied() {
        assert!(matches!(visible("a = 'é'\r\n\tb = 1\n"), Cow::Borrowed(_)));
    }
}
