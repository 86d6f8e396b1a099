//! Advice about errors for users of a tab, who have no command line.

use simhost_world::Diagnostic;

const NOT_IN_A_TAB: &str = "help: a tab has no shell, downloads or shared libraries; add models as scripts or WebAssembly modules, or run this world with the program";
const ADD_IT: &str = "help: add the file to the page";

/// Options and verbs that give a world what a tab does not have.
const MORE: &[&str] = &["--allow", "--mirror", "--plugin-dir", "simhost plugin"];

/// Replaces advice to use the command line.
pub(crate) fn for_a_tab(mut found: Diagnostic) -> Diagnostic {
    let advised = found.message.find("; run with `--");
    let gives_more = |note: &String| MORE.iter().any(|word| note.contains(word));
    let is_possible = advised.is_some() || found.notes.iter().any(gives_more);
    found.notes.retain(|note| !note.contains("--") && !note.contains("simhost "));
    if is_possible {
        found.notes.push(NOT_IN_A_TAB.to_owned());
    }
    // the number of an error means nothing outside of an operating system
    let unread = found.message.find(" (os error");
    if unread.is_some() {
        found.notes.push(ADD_IT.to_owned());
    }
    if let Some(end) = advised.or(unread) {
        found.message.truncate(end);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{ADD_IT, Diagnostic, NOT_IN_A_TAB, for_a_tab};

    #[test]
    fn options_of_the_command_line_are_not_advised() {
        let shell = Diagnostic::error("shell commands are not allowed in world files")
            .help("write the result here, or run with --allow shell if you trust this world");
        assert_eq!(for_a_tab(shell).notes, [NOT_IN_A_TAB]);
        let download = for_a_tab(Diagnostic::error("downloads are not allowed: a; run with `--b`"));
        assert_eq!(download.message, "downloads are not allowed: a");
        assert_eq!(download.notes, [NOT_IN_A_TAB]);
    }

    #[test]
    fn a_missing_file_is_to_be_added() {
        let missing = for_a_tab(Diagnostic::error("cannot read `a`: not found (os error 44)"));
        assert_eq!(missing.message, "cannot read `a`: not found");
        assert_eq!(missing.notes, [ADD_IT]);
    }

    #[test]
    fn advice_to_read_a_list_is_left_out() {
        let unknown = Diagnostic::error("unknown element").help("run `simhost schema --markdown`");
        assert!(for_a_tab(unknown).notes.is_empty());
    }

    #[test]
    fn other_advice_stays() {
        let other =
            Diagnostic::error("block `b` has no pose").help("write <init_pose>0 0 0</init_pose>");
        assert_eq!(for_a_tab(other.clone()).notes, other.notes);
    }
}
