//! A page of the documents: text between blocks of code.

use crate::support::{files_below, root};
use std::fs;
use std::ops::Range;

/// A Markdown file and its fenced blocks.
pub struct Page {
    /// The path from the project's folder, with `/`.
    pub name: String,
    pub lines: Vec<String>,
    pub blocks: Vec<Block>,
}

/// A fenced block of code. The line of its fence has its language, and words after it that are not displayed.
pub struct Block {
    pub language: String,
    words: Vec<String>,
    /// The lines between the fences.
    pub body: Range<usize>,
}

impl Page {
    /// Reads a page by its path from the project's folder.
    pub fn read(name: &str) -> Page {
        let text = fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let mut blocks = Vec::new();
        let mut at = 0;
        while at < lines.len() {
            let start = at + 1;
            at += 1;
            let Some(fence) = lines[start - 1].trim_start().strip_prefix("```") else { continue };
            let is_end = |line: &String| line.trim() == "```";
            let length = lines[start..].iter().position(is_end);
            let end = start + length.unwrap_or_else(|| panic!("{name}:{start}: the block has no end"));
            let mut words = fence.split_whitespace().map(str::to_owned);
            let language = words.next().unwrap_or_default();
            blocks.push(Block { language, words: words.collect(), body: start..end });
            at = end + 1;
        }
        Page { name: name.to_owned(), lines, blocks }
    }

    /// Reads the README and all pages of the book.
    pub fn all() -> Vec<Page> {
        let pages = files_below(&root().join("docs"), "md").into_iter();
        let names = pages.map(|page| format!("docs/{}", page.to_str().expect("pages have plain names")));
        names.chain(Some("README.md".to_owned())).map(|name| Page::read(&name.replace('\\', "/"))).collect()
    }

    pub fn text(&self) -> String {
        self.lines.join("\n")
    }

    /// Returns the text of a block, each line with its end.
    pub fn text_of(&self, block: &Block) -> String {
        self.lines[block.body.clone()].iter().map(|line| format!("{line}\n")).collect()
    }

    /// Returns the last line of text above a block: it may name the file that the block shows.
    pub fn line_above(&self, block: &Block) -> &str {
        let above = self.lines[..block.body.start - 1].iter().rev();
        above.map(|line| line.trim()).find(|line| !line.is_empty()).unwrap_or_default()
    }
}

impl Block {
    /// Returns the value of a word such as `status=1` after the language.
    pub fn value(&self, key: &str) -> Option<&str> {
        self.words.iter().find_map(|word| word.strip_prefix(key)?.strip_prefix('='))
    }

    pub fn is_marked(&self, word: &str) -> bool {
        self.words.iter().any(|found| found == word)
    }
}
