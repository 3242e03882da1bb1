//! No circles: in every folder, the files and folders that stand in it need each other in one direction alone.
//!
//! A file needs another when it names something that stands there, in a `use` or in a path within the code. Names are
//! followed to the file that *defines* them: neither `mod x; pub use x::Y;` in the file of a folder nor `use super::Y;`
//! beside it ties anything to the folder's file. A name that only leads on to a module ties nothing. A folder needs what
//! the files in it need.
//!
//! The `mod.rs` of a folder, or the `lib.rs` of a crate, is no neighbour of what stands in its folder: it names its
//! members in a table and has the trait that they share, so that both need the other, as a family does. To its own
//! neighbours it is a file of the folder like any other. So a circle of files must lie in one folder and pass through its
//! `mod.rs`, or it is found here.
//!
//! Only names tell; an `impl` of a type in another file, whose methods that type's file calls, is not seen.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::files;
use super::source::Source;

/// A path as it is written, as words.
type Words = Vec<String>;

/// A file of a crate.
#[derive(Debug, Default)]
struct Module {
    /// The file, from the root of the package.
    file: String,
    /// What is defined in it.
    definitions: BTreeSet<String>,
    imports: Vec<Import>,
    /// The paths within the code.
    paths: Vec<Words>,
    /// Words of the code, but for those of imports.
    words: BTreeSet<String>,
}

/// A name that is brought into a file.
#[derive(Debug)]
struct Import {
    /// The name in the file; `*` for all of a module.
    name: String,
    path: Words,
    /// It is exported, and perhaps not used in the file itself.
    is_export: bool,
}

/// Where a path leads.
#[derive(Debug, PartialEq)]
enum Place {
    /// To a file as a whole.
    Module(Words),
    /// To something that the file of a module defines.
    Definition { module: Words, name: String },
}

/// The files of a crate, by the paths of their modules.
#[derive(Default)]
struct Crate(BTreeMap<Words, Module>);

/// Which neighbours need which, each with the steps from file to file.
type Needs = BTreeMap<String, BTreeMap<String, BTreeSet<String>>>;

impl Module {
    fn read(source: &Source) -> Self {
        let tokens = tokens(source.code());
        let mut module = Self { file: source.path.clone(), ..Self::default() };
        let (mut at, mut depth, mut is_public) = (0, 0, false);
        while at < tokens.len() {
            let token = tokens[at];
            match token {
                "{" => depth += 1,
                "}" => depth -= 1,
                // `use<'a>` is a part of a type.
                "use" if tokens.get(at + 1) != Some(&"<") => {
                    at = module.read_import(&tokens, at + 1, is_public);
                    is_public = false;
                    continue;
                }
                _ => {}
            }
            if depth == 0 {
                module.read_definition(&tokens[at..]);
            }
            if is_word(token) {
                let path = path_at(&tokens, at);
                module.words.extend(path.iter().cloned());
                at += 2 * path.len() - 1;
                if path.len() > 1 {
                    module.paths.push(path);
                }
            } else {
                at += 1;
            }
            // `pub(crate) use`: what is in brackets stands between.
            is_public = token == "pub" || (is_public && ["(", ")", "crate", "super", "in"].contains(&token));
        }
        module
    }

    /// Notes what is defined here, if something is.
    fn read_definition(&mut self, tokens: &[&str]) {
        const KINDS: [&str; 8] = ["fn", "struct", "enum", "trait", "type", "const", "static", "union"];
        match tokens {
            ["macro_rules", "!", name, ..] => self.definitions.insert((*name).to_owned()),
            [kind, name, ..] if KINDS.contains(kind) && is_word(name) && !KINDS.contains(name) => {
                self.definitions.insert((*name).to_owned())
            }
            _ => false,
        };
    }

    /// Reads a `use` from behind that word; where it ends.
    fn read_import(&mut self, tokens: &[&str], start: usize, is_export: bool) -> usize {
        let end = start + tokens[start..].iter().position(|token| *token == ";").expect("a use ends");
        let mut paths = Vec::new();
        leaves(&tokens[start..end], &Vec::new(), &mut paths);
        for (path, name) in paths {
            self.imports.push(Import { name, path, is_export });
        }
        end + 1
    }
}

impl Crate {
    /// The crate of the files below a folder, those that are not for tests only.
    fn new(folder: &str, sources: &[Source]) -> Self {
        let test_only: Vec<String> = sources.iter().flat_map(Source::test_modules).collect();
        let mut modules = BTreeMap::new();
        for source in sources {
            if test_only.iter().any(|path| source.is_in(path)) {
                continue;
            }
            let file = source.path.strip_prefix(folder).expect("it is in the folder");
            let path = file.trim_end_matches(".rs").trim_end_matches("/mod");
            let is_root = ["lib", "main"].contains(&path);
            let path = if is_root { Vec::new() } else { path.split('/').map(str::to_owned).collect() };
            modules.insert(path, Module::read(source));
        }
        Self(modules)
    }

    /// Where a path leads that stands in a module; none where it leaves the crate or is no path of modules.
    ///
    /// A module and a function may have one name. The last word of a path is the function, unless `is_module`.
    fn resolve(&self, module: &[String], path: &[String], is_module: bool, steps: usize) -> Option<Place> {
        let mut here = module.to_vec();
        for (index, word) in path.iter().enumerate() {
            let is_last = index + 1 == path.len();
            match word.as_str() {
                "crate" => here.clear(),
                "self" => {}
                "super" => {
                    here.pop()?;
                }
                name => match self.find(&here, name, is_module || !is_last, steps)? {
                    Place::Module(next) => here = next,
                    definition => return Some(definition),
                },
            }
        }
        Some(Place::Module(here))
    }

    /// What a name means in a module.
    fn find(&self, module: &[String], name: &str, is_module: bool, steps: usize) -> Option<Place> {
        // An import may lead back to itself: `use super::*` beside `pub use child::*`.
        let steps = steps.checked_sub(1)?;
        let own = self.0.get(module)?;
        let child = [module, &[name.to_owned()]].concat();
        let is_child = self.0.contains_key(&child);
        if is_module && is_child {
            return Some(Place::Module(child));
        }
        if own.definitions.contains(name) {
            return Some(Place::Definition { module: module.to_vec(), name: name.to_owned() });
        }
        for import in &own.imports {
            if import.name == name
                && let Some(place) = self.resolve(module, &import.path, is_module, steps)
            {
                return Some(place);
            }
        }
        if is_child {
            return Some(Place::Module(child));
        }
        for import in &own.imports {
            if import.name == "*"
                && let Some(Place::Module(other)) = self.resolve(module, &import.path, true, steps)
                && let Some(place) = self.find(&other, name, is_module, steps)
            {
                return Some(place);
            }
        }
        None
    }

    /// What the neighbours in every folder need of each other.
    fn needs(&self) -> BTreeMap<String, Needs> {
        // More than any import of an import of an import takes.
        const STEPS: usize = 16;
        let mut needs: BTreeMap<String, Needs> = BTreeMap::new();
        for (path, module) in &self.0 {
            let is_used = |import: &&Import| !import.is_export || module.words.contains(&import.name);
            let imported = module.imports.iter().filter(is_used).map(|import| &import.path);
            for words in imported.chain(&module.paths) {
                let place = self.resolve(path, words, false, STEPS);
                let Some(Place::Definition { module: other, name }) = place else { continue };
                let other = &self.0[&other].file;
                let Some((folder, [one, two])) = neighbours(&module.file, other) else { continue };
                let of_one = needs.entry(folder).or_default().entry(one).or_default();
                of_one.entry(two).or_default().insert(format!("{} -> {other}: {name}", module.file));
            }
        }
        needs
    }
}

/// The folder in which two files stand apart, and what they are there: a file, or the folder that has it. None for the same
/// file, and where one is the file of that folder.
fn neighbours(file: &str, other: &str) -> Option<(String, [String; 2])> {
    const OF_FOLDERS: [&str; 2] = ["mod.rs", "lib.rs"];
    let (one, two): (Vec<&str>, Vec<&str>) = (file.split('/').collect(), other.split('/').collect());
    let common = one.iter().zip(&two).take_while(|(one, two)| one == two).count();
    let apart = [one.get(common)?, two.get(common)?];
    let is_apart = apart.iter().all(|name| !OF_FOLDERS.contains(name));
    // `x.rs` and `x/` are one.
    let names = apart.map(|name| name.trim_end_matches(".rs").to_owned());
    (is_apart && names[0] != names[1]).then(|| (one[..common].join("/"), names))
}

/// The steps from file to file of which circles of neighbours are made.
fn circles(needs: &Needs) -> BTreeSet<String> {
    let mut steps = BTreeSet::new();
    for (one, others) in needs {
        for (two, own) in others {
            if reachable(needs, two).contains(one.as_str()) {
                steps.extend(own.iter().cloned());
            }
        }
    }
    steps
}

/// What a neighbour needs, straight or by way of others.
fn reachable<'a>(needs: &'a Needs, from: &str) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::new();
    let mut open = vec![from];
    while let Some(next) = open.pop() {
        for other in needs.get(next).into_iter().flat_map(BTreeMap::keys) {
            if found.insert(other.as_str()) {
                open.push(other);
            }
        }
    }
    found
}

/// Words, `::`, and every other character that is not blank.
fn tokens(code: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = code.trim_start();
    while !rest.is_empty() {
        let word = rest.find(|c| !is_in_word(c)).unwrap_or(rest.len());
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let length = if rest.starts_with("::") { 2 } else { word.max(first) };
        tokens.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    tokens
}

fn is_in_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn is_word(token: &str) -> bool {
    token.starts_with(is_in_word)
}

/// The path that begins at a word: it, and all that follow behind `::`.
fn path_at(tokens: &[&str], start: usize) -> Words {
    let mut path = vec![tokens[start].to_owned()];
    let mut at = start + 1;
    while tokens.get(at) == Some(&"::") && tokens.get(at + 1).is_some_and(|token| is_word(token)) {
        path.push(tokens[at + 1].to_owned());
        at += 2;
    }
    path
}

/// The paths of a `use`, each with its name in the file: `a::{b, c as d}` has `a::b` as `b` and `a::c` as `d`.
fn leaves(tokens: &[&str], before: &Words, into: &mut Vec<(Words, String)>) {
    let mut path = before.clone();
    let mut name = None;
    let mut at = 0;
    while at < tokens.len() {
        match tokens[at] {
            "{" => {
                let inner = &tokens[at + 1..tokens.len() - 1];
                for part in parts(inner) {
                    leaves(part, &path, into);
                }
                return;
            }
            "*" => name = Some("*".to_owned()),
            "as" => {
                name = Some(tokens[at + 1].to_owned());
                at += 1;
            }
            "::" => {}
            // `a::{self}` is `a`.
            "self" if !path.is_empty() => {}
            word => path.push(word.to_owned()),
        }
        at += 1;
    }
    if let Some(name) = name.or_else(|| path.last().cloned()) {
        into.push((path, name));
    }
}

/// What stands between the outer commas.
fn parts<'a, 'b>(tokens: &'a [&'b str]) -> Vec<&'a [&'b str]> {
    let mut depth = 0;
    let is_outer_comma = |token: &&str| {
        depth += i32::from(*token == "{") - i32::from(*token == "}");
        *token == "," && depth == 0
    };
    tokens.split(is_outer_comma).filter(|part| !part.is_empty()).collect()
}

/// The circles of a crate: the folder of its files, with their texts.
fn circles_of(folder: &str, texts: &[(String, String)]) -> BTreeSet<String> {
    let sources: Vec<Source> = texts.iter().map(|(path, text)| Source::new(path, text)).collect();
    Crate::new(folder, &sources).needs().values().flat_map(circles).collect()
}

#[test]
fn no_files_need_each_other() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = vec!["src/".to_owned()];
    for entry in std::fs::read_dir(root.join("crates")).expect("the crates are there") {
        let name = entry.expect("an entry").file_name();
        folders.push(format!("crates/{}/src/", name.to_string_lossy()));
    }
    folders.sort();
    let mut found = BTreeSet::new();
    for folder in folders {
        let mut texts = Vec::new();
        files(&root.join(&folder), &mut texts);
        // The library and the program are two crates in one folder; the program has one file.
        texts.retain(|(path, _)| path != "src/main.rs");
        found.extend(circles_of(&folder, &texts));
    }
    let found: Vec<String> = found.into_iter().collect();
    assert!(found.is_empty(), "\n{}\n", found.join("\n"));
}

/// The circles of files of a crate, given as path and text.
fn found(files: &[(&str, &str)]) -> Vec<String> {
    let texts: Vec<(String, String)> =
        files.iter().map(|(path, text)| (format!("src/{path}"), (*text).to_owned())).collect();
    circles_of("src/", &texts).into_iter().collect()
}

#[test]
fn a_circle_of_members_is_found_however_it_is_written() {
    let root = ("lib.rs", "mod a; mod b; pub use a::A; pub use b::make;");
    let a = "use super::b; pub struct A; fn f() { b::make(); }";
    for b in [
        "use super::a::A; pub fn make() -> A {}",
        "use super::A; pub fn make() -> A {}",
        "use crate::{A as Other}; pub fn make() -> Other {}",
        "use super::a::{self}; pub fn make() -> a::A {}",
        "pub fn make() -> crate::A {}",
        "use crate::*; pub fn make() -> A { crate::a::A }",
    ] {
        let found = found(&[root, ("a.rs", a), ("b.rs", b)]);
        assert_eq!(found, ["src/a.rs -> src/b.rs: make", "src/b.rs -> src/a.rs: A"], "{b}");
    }
}

#[test]
fn a_circle_of_folders_is_found_even_where_its_files_make_none() {
    let root = ("lib.rs", "mod a; mod b;");
    let other = ("b.rs", "use crate::a; pub fn h() { a::read(); }");
    let steps = ["src/a/part.rs -> src/b.rs: h", "src/b.rs -> src/a/mod.rs: read"];
    for folder in ["mod part; fn f() { part::g(); } pub fn read() {}", "mod part; pub fn read() {}"] {
        let part = ("a/part.rs", "pub fn g() { crate::b::h(); }");
        assert_eq!(found(&[root, ("a/mod.rs", folder), part, other]), steps);
    }
}

#[test]
fn a_family_its_tests_and_functions_with_the_names_of_files_are_free() {
    let files = [
        ("lib.rs", "mod family; mod make; pub use make::make;"),
        ("make.rs", "use crate::family; pub fn make() { family::TABLE; }"),
        (
            "family/mod.rs",
            "mod one; mod two; pub trait Family {} pub static TABLE: [&dyn Family; 2] = [&one::ENTRY, &two::ENTRY];",
        ),
        (
            "family/one.rs",
            "use super::Family; pub static ENTRY: One = One; struct One; impl Family for One {}",
        ),
        (
            "family/two.rs",
            "use super::{Family, one}; pub static ENTRY: Two = Two(one::ENTRY);\n#[cfg(test)]\nmod tests { use crate::make; }",
        ),
    ];
    assert_eq!(found(&files), [""; 0]);
}
