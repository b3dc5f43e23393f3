//! A position in one line, in lower case for reading and in its own case for titles and messages.

/// One line and a position in it. Positions count characters.
pub(super) struct Cursor {
    lower: Vec<char>,
    written: Vec<char>,
    /// Reads the line in its own case from now on: titles, authors, home pages.
    own_case: bool,
    pub position: usize,
}

/// Returns whether a character is white space: that of Unicode, with the byte order mark, without "next line", which is
/// what the reference's platform takes for it.
pub(super) fn is_space(character: char) -> bool {
    (character.is_whitespace() && character != '\u{85}') || character == '\u{feff}'
}

/// Returns whether a character can be part of a name.
pub(super) fn is_name(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// Removes white space at both ends.
pub(super) fn trim(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// Returns a character in lower case if that is one character, so that positions in both cases agree.
fn lower_case(character: char) -> char {
    let mut lower = character.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(only), None) => only,
        _ => character,
    }
}

impl Cursor {
    pub(super) fn new(line: &str) -> Self {
        let written: Vec<char> = line.chars().collect();
        let lower = written.iter().copied().map(lower_case).collect();
        Self { lower, written, own_case: false, position: 0 }
    }

    fn text(&self) -> &[char] {
        if self.own_case { &self.written } else { &self.lower }
    }

    pub(super) fn use_own_case(&mut self) {
        self.own_case = true;
    }

    pub(super) fn at_end(&self) -> bool {
        self.position >= self.lower.len()
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.text().get(self.position).copied()
    }

    pub(super) fn advance(&mut self) -> Option<char> {
        let next = self.peek();
        self.position += usize::from(next.is_some());
        next
    }

    pub(super) fn skip_rest(&mut self) {
        self.position = self.lower.len();
    }

    /// Takes all characters that `accepted` holds for, none included.
    pub(super) fn take_while(&mut self, accepted: impl Fn(char) -> bool) -> String {
        let rest = &self.text()[self.position..];
        let taken: String = rest.iter().take_while(|&&character| accepted(character)).collect();
        self.position += taken.chars().count();
        taken
    }

    pub(super) fn spaces(&mut self) {
        self.take_while(is_space);
    }

    /// Takes a name and the spaces after it.
    pub(super) fn name(&mut self) -> Option<String> {
        self.taken(is_name)
    }

    /// Takes characters up to a space or a round bracket, and the spaces after them.
    pub(super) fn word(&mut self) -> Option<String> {
        self.taken(|character| !is_space(character) && character != '(' && character != ')')
    }

    fn taken(&mut self, accepted: impl Fn(char) -> bool) -> Option<String> {
        let taken = self.take_while(accepted);
        if taken.is_empty() {
            return None;
        }
        self.spaces();
        Some(taken)
    }

    /// Takes one of these words, if it stands here and `ends` accepts what follows, and the spaces after it.
    pub(super) fn one_of<'a>(&mut self, words: &[&'a str], ends: impl Fn(Option<char>) -> bool) -> Option<&'a str> {
        let found = words.iter().copied().find(|word| {
            let after = self.position + word.chars().count();
            let text = self.text();
            text.len() >= after
                && word.chars().eq(text[self.position..after].iter().copied())
                && ends(text.get(after).copied())
        })?;
        self.position += found.chars().count();
        self.spaces();
        Some(found)
    }

    /// Returns the text up to a round bracket that opens a comment, without taking it; none if it is empty.
    pub(super) fn before_comment(&self) -> Option<String> {
        let rest = self.text().get(self.position..).unwrap_or_default();
        let text: String = rest.iter().take_while(|&&character| character != '(').collect();
        (!text.is_empty()).then_some(text)
    }

    /// Takes the text up to a round bracket that opens a comment.
    pub(super) fn skip_before_comment(&mut self) {
        self.take_while(|character| character != '(');
    }

    /// Returns the rest of the line in its own case.
    pub(super) fn rest_as_written(&self) -> String {
        self.written.get(self.position..).unwrap_or_default().iter().collect()
    }

    /// Returns the characters from here to the end of the line.
    pub(super) fn ahead(&self) -> &[char] {
        self.text().get(self.position..).unwrap_or_default()
    }

    /// Returns the rest of the line as read.
    pub(super) fn rest(&self) -> String {
        self.text().get(self.position..).unwrap_or_default().iter().collect()
    }

    /// Returns the whole line as read.
    pub(super) fn whole(&self) -> String {
        self.text().iter().collect()
    }

    /// Returns the first stretch of the line without an opening bracket, with the position of its first character.
    pub(super) fn first_stretch(&self) -> (usize, String) {
        let start = self.lower.iter().take_while(|&&character| character == '(').count();
        (start, self.lower[start..].iter().take_while(|&&character| character != '(').collect())
    }

    /// Returns the whole line in its own case.
    pub(super) fn written(&self) -> &[char] {
        &self.written
    }
}

/// Accepts what follows a word where the reference asks for a word boundary, which looks at ASCII alone.
pub(super) fn boundary(next: Option<char>) -> bool {
    next.is_none_or(|next| !next.is_ascii_alphanumeric() && next != '_')
}

/// Accepts what follows a name.
pub(super) fn name_ends(next: Option<char>) -> bool {
    next.is_none_or(|next| !is_name(next))
}
