//! Limits: worlds that need too much time or memory are refused quickly.

use std::time::{Duration, Instant};

use crate::{errors, world, world_with};
use simhost_world::{Limits, LoadError, LoadOptions, Loaded, load};

/// Time limit of a test. Generous, because tests are not optimised and run in parallel.
const SOON: Duration = Duration::from_secs(60);

fn refused(result: impl FnOnce() -> Result<Loaded, LoadError>, expected: &str) {
    let start = Instant::now();
    let text = errors(result());
    assert!(text.contains(expected), "{text}");
    assert!(start.elapsed() < SOON, "{expected}: {:?}", start.elapsed());
}

#[test]
fn a_long_loop_is_refused_before_it_runs() {
    let round = |body: &str| {
        format!(
            "<mvsim_world><for var=\"i\" from=\"1\" to=\"1000000000\">{body}</for></mvsim_world>"
        )
    };
    for body in ["<block/>", "<variable name=\"x\" value=\"1\"/>", "<if condition=\"0\"/>"] {
        refused(|| world(&round(body)), "--max-elements");
    }
    let nested = "<for var=\"i\" from=\"1\" to=\"30000\">".repeat(4) + &"</for>".repeat(4);
    let text = format!("<mvsim_world>{nested}</mvsim_world>");
    refused(|| world(&text), "--max-elements");
    assert_eq!(errors(world(&text)).matches("--max-elements").count(), 1);
}

#[test]
fn elements_are_counted_before_and_after_expansion() {
    let options = LoadOptions {
        limits: Limits { elements: 100, ..Limits::default() },
        ..LoadOptions::default()
    };
    let looped = "<mvsim_world><for var=\"i\" from=\"1\" to=\"30\"><gui><a/><b/><c/></gui></for></mvsim_world>";
    refused(|| world_with(looped, &[], &options), "more than 100 elements");
    let written = format!("<mvsim_world>{}</mvsim_world>", "<gui/>".repeat(100));
    refused(|| world_with(&written, &[], &options), "more than 100 elements");
    let fits = format!("<mvsim_world>{}</mvsim_world>", "<gui/>".repeat(99));
    assert!(world_with(&fits, &[], &options).is_ok());
}

#[test]
fn nesting_is_refused_only_above_the_limit() {
    for tag in ["a", "if condition=\"1\""] {
        let name = tag.split(' ').next().unwrap();
        let nested = |depth: usize| {
            let (open, close) =
                (format!("<{tag}>").repeat(depth), format!("</{name}>").repeat(depth));
            format!("<mvsim_world><gui>{open}<x y=\"${{z|1}}\"/>{close}</gui></mvsim_world>")
        };
        refused(|| world(&nested(200_000)), "--max-depth");
        refused(|| world(&nested(254)), "--max-depth");
        let lenient = LoadOptions { lenient: true, ..LoadOptions::default() };
        assert!(world_with(&nested(253), &[], &lenient).is_ok());
    }
}

#[test]
fn includes_add_to_the_depth() {
    let (open, close) = ("<gui>".repeat(100), "</gui>".repeat(100));
    let file = |next: &str| format!("{open}<include file=\"{next}\"/>{close}");
    let (a, b, c) = (file("b.xml"), file("c.xml"), file("d.xml"));
    let files = [("a.xml", a.as_str()), ("b.xml", &b), ("c.xml", &c), ("d.xml", "<x/>")];
    let text = "<mvsim_world><include file=\"a.xml\"/></mvsim_world>";
    refused(|| world_with(text, &files, &LoadOptions::default()), "--max-depth");
}

#[test]
fn long_files_are_refused() {
    let options = LoadOptions {
        limits: Limits { file_size: 1000, ..Limits::default() },
        ..LoadOptions::default()
    };
    let text = format!("<mvsim_world>{}</mvsim_world>", " ".repeat(1000));
    refused(|| world_with(&text, &[], &options), "--max-file-size");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("big.xml");
    // a sparse file, which must be refused without being read
    std::fs::File::create(&path).unwrap().set_len(200 << 20).unwrap();
    let catalogue = crate::Catalogue::new();
    refused(|| load(&path, &LoadOptions::default(), &catalogue), "exceeds 64 MiB");
}

#[test]
fn values_that_grow_are_refused() {
    let mut text = "<mvsim_world><variable name=\"a0\" value=\"1111111111\"/>".to_owned();
    for level in 1..5 {
        let value = format!("${{a{}}}", level - 1).repeat(6);
        text += &format!("<variable name=\"a{level}\" value=\"{value}\"/>");
    }
    text += "<for var=\"i\" from=\"1\" to=\"900000\"><gui a=\"${a4}\"/></for></mvsim_world>";
    refused(|| world(&text), "exceed ");
    let long = "x".repeat(1 << 20);
    let copied = format!(
        "<mvsim_world><for var=\"i\" from=\"1\" to=\"1000\"><gui>{long}</gui></for></mvsim_world>"
    );
    refused(|| world(&copied), "exceed ");
}

#[test]
fn expressions_that_grow_exponentially_are_refused() {
    let wrap =
        |inside: &str| format!("<mvsim_world><gravity>$f{{{inside}}}</gravity></mvsim_world>");
    refused(|| world(&wrap(&"(".repeat(1_000_000))), "too deeply");
    refused(|| world(&wrap(&"1+".repeat(100_000))), "unexpected end");
    refused(|| world(&wrap(&format!("max({})", "1,".repeat(5000)))), "at most 1000");
    refused(|| world(&wrap(&"${x|".repeat(10_000))), "without a closing `}`");
    let nested = format!("{}1{}", "${x|".repeat(10_000), "}".repeat(10_000));
    refused(|| world(&wrap(&nested)), "without end");
    // each file uses its argument within thirty pairs of brackets
    let link = |next: u32| {
        let deep = format!("{}x{}", "(".repeat(30), ")".repeat(30));
        format!("<include file=\"{next}.xml\" x=\"$f{{{deep}}}\"/>")
    };
    let texts: Vec<(String, String)> = (0..30)
        .map(|index| (format!("{index}.xml"), link(index + 1)))
        .chain([("30.xml".to_owned(), "<gravity>$f{x}</gravity>".to_owned())])
        .collect();
    let files: Vec<_> = texts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let text = "<mvsim_world><include file=\"0.xml\" x=\"1\"/></mvsim_world>";
    refused(|| world_with(text, &files, &LoadOptions::default()), "without end");
}

#[test]
fn a_file_that_is_included_repeatedly_is_parsed_once() {
    let texts: Vec<(String, String)> = (0..100)
        .map(|index| {
            (
                format!("{index}.xml"),
                format!("<!--{}--><variable name=\"v\" value=\"${{x}}\"/>", "-x".repeat(20_000)),
            )
        })
        .collect();
    let files: Vec<_> = texts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let text = "<mvsim_world><for var=\"i\" from=\"0\" to=\"99999\">\
        <include file=\"$f{i%100}.xml\" x=\"${i}\"/></for></mvsim_world>";
    let start = Instant::now();
    let loaded = world_with(text, &files, &LoadOptions::default());
    assert!(loaded.is_ok(), "{}", loaded.unwrap_err());
    assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
}

#[test]
fn many_errors_in_a_large_file_are_reported_quickly() {
    let lines = "</a>\n".repeat(400_000);
    refused(|| world(&format!("{lines}<mvsim_world/>")), "`</a>` without a start tag");
    let long = format!("<mvsim_world>{}</mvsim_world>", "<zzz b='<'/>".repeat(300_000));
    refused(|| world(&long), "unknown element");
}

#[test]
fn the_highest_nesting_limit_fits_a_small_stack() {
    let limits = Limits { depth: usize::MAX, ..Limits::default() };
    let options = LoadOptions { limits, lenient: true, ..LoadOptions::default() };
    for tag in ["a b=\"${x|1}\"", "if condition=\"1\"", "for var=\"i\" from=\"1\" to=\"1\""] {
        let name = tag.split(' ').next().unwrap();
        let nested = |depth: usize| {
            let (open, close) =
                (format!("<{tag}>").repeat(depth), format!("</{name}>").repeat(depth));
            format!("<mvsim_world><gui>{open}{close}</gui></mvsim_world>")
        };
        refused(|| world_with(&nested(2000), &[], &options), "nested more than 500 deep");
        assert!(world_with(&nested(498), &[], &options).is_ok());
    }
}

#[test]
fn very_large_files_are_refused_quickly() {
    for (unit, expected) in [
        ("<a/>", "--max-elements"),
        ("<a b='' c='' d='' e='' f='' g=''/>", "exceed "),
        ("</a>", "`</a>` without a start tag"),
        ("<a b=\"<&\"/>", "--max-elements"),
        ("&x;", "unknown entity"),
    ] {
        let text = format!("<mvsim_world>{}", unit.repeat((60 << 20) / unit.len()));
        refused(|| world(&text), expected);
    }
}
