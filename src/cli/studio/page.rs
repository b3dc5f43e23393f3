//! The page of the studio: one file with its style and its scripts, which loads nothing from elsewhere.

use crate::diagnostic::escape;
use std::path::Path;

const PAGE: &str = include_str!("../../../assets/studio/page.html");
const STYLE: &str = include_str!("../../../assets/studio/page.css");
const SCRIPT: &str = concat!(
    include_str!("../../../assets/studio/server.js"),
    include_str!("../../../assets/studio/editor.js"),
    include_str!("../../../assets/studio/complete.js"),
    include_str!("../../../assets/studio/examples.js"),
    include_str!("../../../assets/studio/files.js"),
    include_str!("../../../assets/studio/board.js"),
    include_str!("../../../assets/studio/answer.js"),
    include_str!("../../../assets/studio/tabs.js"),
    include_str!("../../../assets/studio/start.js"),
);

/// A page, and the header with its policy.
pub(super) struct Page {
    pub html: String,
    pub policy: String,
}

/// Returns the page for a folder.
pub(super) fn page(folder: &Path) -> Page {
    let name = folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy();
    let script = format!("(() => {{\n\"use strict\";\n{SCRIPT}}})();\n");
    let html = PAGE.replace("FOLDER", &escape(&name)).replace("STYLE", STYLE).replace("SCRIPT", &script);
    let hash = crate::render::source(&script);
    let policy = format!(
        "Content-Security-Policy: default-src 'none'; script-src {hash}; style-src 'unsafe-inline'; img-src data: blob:; \
         connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n"
    );
    Page { html, policy }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_whole_and_small() {
        let Page { html, policy } = page(Path::new("/a/<b>"));
        assert!(html.contains("&lt;b&gt;") && !html.contains("<b>"));
        assert!(html.len() <= 300_000, "{} bytes", html.len());
        assert!(policy.contains("'sha256-") && !html.contains("https://"));
    }
}
