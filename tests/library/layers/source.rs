//! A source file as far as layers are concerned: paths and words, without comments, texts and tests.

/// Crates whose own name is a room, with the modules of theirs that are rooms beside it. Every module of another crate is
/// a room.
const ONE_ROOM: [(&str, &[&str]); 5] = [
    ("craft", &["models", "partitions"]),
    ("report", &["answers"]),
    ("serve", &[]),
    ("stats", &[]),
    ("testing", &[]),
];

/// The room of a module of a crate, by the first name below the crate's root.
fn room_of(package: &str, first: &str) -> String {
    match ONE_ROOM.iter().find(|(name, _)| *name == package) {
        Some((name, others)) if !others.contains(&first) => (*name).to_owned(),
        _ => first.to_owned(),
    }
}

/// A file of `src/` or of `crates/*/src/`.
pub struct Source {
    /// The path from the package's root, with `/`.
    pub path: String,
    /// The code; comments, texts and tests are blank.
    code: String,
    /// Modules that stand in files of their own and are for tests only, by path without `.rs`.
    test_modules: Vec<String>,
    lines: usize,
}

impl Source {
    /// Reads a file.
    pub fn new(path: &str, text: &str) -> Self {
        let mut source = Self {
            path: path.to_owned(),
            code: without_comments_and_texts(text),
            test_modules: Vec::new(),
            lines: text.lines().count(),
        };
        source.take_tests_out();
        source
    }

    /// The code, blank where comments, texts and tests were.
    pub fn code(&self) -> &str {
        &self.code
    }

    /// The number of lines.
    pub fn lines(&self) -> usize {
        self.lines
    }

    /// The room that the file is in; none for the program itself.
    pub fn room(&self) -> Option<String> {
        let module = self.module();
        let first = module.first().map_or("", String::as_str);
        let room = room_of(self.package(), first);
        let is_root = matches!(room.as_str(), "" | "lib" | "main");
        (!is_root).then_some(room)
    }

    /// Modules of this file that are for tests only.
    pub fn test_modules(&self) -> Vec<String> {
        self.test_modules.clone()
    }

    /// The file is this module, or inside it.
    pub fn is_in(&self, module: &str) -> bool {
        self.path.strip_prefix(module).is_some_and(|rest| rest == ".rs" || rest.starts_with('/'))
    }

    /// The crate that the file is in: the folder below `crates/`; empty for the program itself.
    fn package(&self) -> &str {
        self.path.strip_prefix("crates/").and_then(|rest| rest.split('/').next()).unwrap_or("")
    }

    /// The rooms that paths from `crate`, from another crate of the house, or from `super` beyond the file's own crate begin
    /// with; each with its line.
    pub fn rooms_named(&self) -> Vec<(usize, String)> {
        let words = self.words_at();
        let depth = self.module().len();
        let mut rooms = Vec::new();
        let mut supers = 0;
        for (start, word) in words {
            let rest = self.code[start + word.len()..].trim_start();
            let climbs = word == "super" && self.code[..start].trim_end().ends_with("::");
            supers = match word {
                "super" if climbs => supers + 1,
                "super" => 1,
                _ => 0,
            };
            let package = if word == "crate" || (supers > 0 && supers == depth) {
                self.package()
            } else if let Some(package) = word.strip_prefix("kenga_") {
                package
            } else {
                continue;
            };
            if let Some(rest) = rest.strip_prefix("::") {
                for head in heads(rest) {
                    rooms.push((self.line(start), room_of(package, &head)));
                }
            }
        }
        rooms
    }

    /// Every word with its line.
    pub fn words(&self) -> Vec<(usize, &str)> {
        let (mut line, mut counted) = (1, 0);
        let mut words = Vec::new();
        for (start, word) in self.words_at() {
            line += self.code[counted..start].matches('\n').count();
            counted = start;
            words.push((line, word));
        }
        words
    }

    /// The lines of `pub use` with a star in a `mod.rs` or a `lib.rs`.
    pub fn glob_exports(&self) -> Vec<usize> {
        if !self.path.ends_with("/mod.rs") && !self.path.ends_with("/lib.rs") {
            return Vec::new();
        }
        let uses = self.code.match_indices("pub use ").chain(self.code.match_indices("pub(crate) use "));
        let has_star =
            |start: &usize| self.code[*start..].split(';').next().is_some_and(|item| item.contains('*'));
        uses.map(|(start, _)| start).filter(has_star).map(|start| self.line(start)).collect()
    }

    /// The path of the module in its crate: `src/a/b.rs` and `src/a/b/mod.rs` are both `a`, `b`; of `lib.rs` nothing.
    fn module(&self) -> Vec<String> {
        let below = self.path.split_once("src/").map_or(&*self.path, |(_, below)| below);
        let path = below.trim_end_matches(".rs").trim_end_matches("/mod");
        if path == "lib" { Vec::new() } else { path.split('/').map(str::to_owned).collect() }
    }

    fn line(&self, at: usize) -> usize {
        self.code[..at].matches('\n').count() + 1
    }

    fn words_at(&self) -> Vec<(usize, &str)> {
        let is_in_word = |c: char| c.is_alphanumeric() || c == '_';
        let mut words = Vec::new();
        let mut at = 0;
        while let Some(start) = self.code[at..].find(is_in_word).map(|offset| at + offset) {
            let rest = &self.code[start..];
            let word = &rest[..rest.find(|c| !is_in_word(c)).unwrap_or(rest.len())];
            words.push((start, word));
            at = start + word.len();
        }
        words
    }

    fn take_tests_out(&mut self) {
        const MARK: &str = "#[cfg(test)]";
        while let Some(start) = self.code.find(MARK) {
            let rest = &self.code[start + MARK.len()..];
            let length = match rest.find(['{', ';']) {
                Some(end) if rest[end..].starts_with(';') => {
                    let name = rest[..end].trim().strip_prefix("pub(crate) ").unwrap_or(rest[..end].trim());
                    if let Some(name) = name.strip_prefix("mod ") {
                        let folder = self.path.trim_end_matches(".rs").trim_end_matches("/mod");
                        self.test_modules.push(format!("{folder}/{name}"));
                    }
                    end + 1
                }
                Some(end) => end + block(&rest[end..]),
                None => rest.len(),
            };
            let end = start + MARK.len() + length;
            self.code.replace_range(start..end, &blank(&self.code[start..end]));
        }
    }
}

/// The first words of a path, or of the paths in braces: `{a::b, c::{d, e}}` has `a` and `c`.
fn heads(path: &str) -> Vec<String> {
    let word = |text: &str| text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    if !path.starts_with('{') {
        return vec![word(path)];
    }
    let inner = &path[1..block(path) - 1];
    let mut depth = 0;
    let parts = inner.split(|c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        c == ',' && depth == 0
    });
    parts.map(|part| word(part.trim())).filter(|head| !head.is_empty()).collect()
}

/// The length of a block in braces.
fn block(text: &str) -> usize {
    let mut depth = 0;
    for (index, c) in text.char_indices() {
        depth += i32::from(c == '{') - i32::from(c == '}');
        if depth == 0 {
            return index + 1;
        }
    }
    text.len()
}

/// As many bytes, none but blanks and line ends.
fn blank(text: &str) -> String {
    text.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }).collect()
}

fn without_comments_and_texts(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match skipped(rest, code.chars().next_back()) {
            0 => {
                code.push(first);
                first.len_utf8()
            }
            length => {
                code += &blank(&rest[..length]);
                length
            }
        };
        rest = &rest[length..];
    }
    code
}

/// How much of the text is a comment or a literal that begins here; 0 when neither does.
fn skipped(text: &str, before: Option<char>) -> usize {
    let in_word = before.is_some_and(|c| c.is_alphanumeric() || c == '_');
    if text.starts_with("//") {
        return text.find('\n').unwrap_or(text.len());
    }
    if text.starts_with("/*") {
        return comment(text);
    }
    if text.starts_with('"') {
        return quoted(text, '"');
    }
    if text.starts_with('r') && !in_word {
        let hashes = text[1..].chars().take_while(|c| *c == '#').count();
        if text[1 + hashes..].starts_with('"') {
            let end = format!("\"{}", "#".repeat(hashes));
            let start = 2 + hashes;
            return text[start..].find(&end).map_or(text.len(), |at| start + at + end.len());
        }
    }
    // A quote begins a character when one character, or an escape, and another quote follow; else it is a lifetime.
    let mut chars = text.chars();
    match (chars.next(), chars.next(), chars.next()) {
        (Some('\''), Some('\\'), _) => quoted(text, '\''),
        (Some('\''), Some(c), Some('\'')) => 2 + c.len_utf8(),
        _ => 0,
    }
}

/// The length of a comment in which comments may stand.
fn comment(text: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < text.len() {
        if text[at..].starts_with("/*") {
            (depth, at) = (depth + 1, at + 2);
        } else if text[at..].starts_with("*/") {
            (depth, at) = (depth - 1, at + 2);
            if depth == 0 {
                return at;
            }
        } else {
            at += text[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    text.len()
}

/// The length of a literal up to the closing quote.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (index, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return index + 1,
            _ => {}
        }
    }
    text.len()
}
