//! The program that runs the code of FMUs in the tests of this crate: `serve FMU NOTES`.

use std::path::Path;

fn main() -> std::io::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [file, notes] = &words[..] else {
        return Err(std::io::Error::other("expected the path of an FMU and of the notes"));
    };
    simhost_cosim::serve(Path::new(file), Path::new(notes))
}
