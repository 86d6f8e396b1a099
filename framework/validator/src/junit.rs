//! Results as JUnit XML for build servers.

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};

use crate::run::ReportLine;
use crate::verdict::{Failure, Verdict};

/// Writes one test suite per subject.
pub fn junit(lines: &[ReportLine]) -> std::io::Result<String> {
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let mut root = BytesStart::new("testsuites");
    root.push_attribute(("name", "simhost plugin check"));
    counts(&mut root, lines);
    writer.write_event(Event::Start(root))?;
    for suite in lines.chunk_by(|one, next| one.subject == next.subject) {
        write_suite(&mut writer, suite)?;
    }
    writer.write_event(Event::End(BytesEnd::new("testsuites")))?;
    let mut text = writer.into_inner();
    text.push(b'\n');
    String::from_utf8(text).map_err(std::io::Error::other)
}

fn counts(element: &mut BytesStart<'_>, lines: &[ReportLine]) {
    let count = |is: fn(&Verdict) -> bool| lines.iter().filter(|line| is(&line.verdict)).count();
    let failures = count(|verdict| matches!(verdict, Verdict::Fail(_)));
    let skipped = count(|verdict| matches!(verdict, Verdict::Skip { .. }));
    element.push_attribute(("tests", lines.len().to_string().as_str()));
    element.push_attribute(("failures", failures.to_string().as_str()));
    element.push_attribute(("skipped", skipped.to_string().as_str()));
}

fn write_suite(writer: &mut Writer<Vec<u8>>, lines: &[ReportLine]) -> std::io::Result<()> {
    let name = lines[0].subject.name();
    let mut suite = BytesStart::new("testsuite");
    suite.push_attribute(("name", name.as_str()));
    counts(&mut suite, lines);
    writer.write_event(Event::Start(suite))?;
    for line in lines {
        let mut case = BytesStart::new("testcase");
        case.push_attribute(("name", line.test));
        case.push_attribute(("classname", name.as_str()));
        case.push_attribute(("time", format!("{:.3}", line.took.as_secs_f64()).as_str()));
        writer.write_event(Event::Start(case))?;
        write_verdict(writer, &line.verdict)?;
        writer.write_event(Event::End(BytesEnd::new("testcase")))?;
    }
    writer.write_event(Event::End(BytesEnd::new("testsuite")))
}

fn write_verdict(writer: &mut Writer<Vec<u8>>, verdict: &Verdict) -> std::io::Result<()> {
    match verdict {
        Verdict::Pass => Ok(()),
        Verdict::Skip { reason } => {
            let mut skipped = BytesStart::new("skipped");
            skipped.push_attribute(("message", reason.as_str()));
            writer.write_event(Event::Empty(skipped))
        }
        Verdict::Fail(Failure { what, input, seed, .. }) => {
            let mut failure = BytesStart::new("failure");
            failure.push_attribute(("message", what.as_str()));
            writer.write_event(Event::Start(failure))?;
            let seed = seed.map(|seed| format!("seed {seed}\n")).unwrap_or_default();
            let text = format!("{seed}{}", input.clone().unwrap_or_default());
            writer.write_event(Event::Text(BytesText::new(&text)))?;
            writer.write_event(Event::End(BytesEnd::new("failure")))
        }
    }
}
