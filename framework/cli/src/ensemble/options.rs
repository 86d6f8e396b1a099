//! Options of a run that have no meaning for an ensemble.

use crate::arguments::Run;
use crate::exit::{Code, Failure};

/// Checks that all options have a meaning for an ensemble.
pub fn check(arguments: &Run) -> Result<(), Failure> {
    let Run { live, pacing, resuming, mcap, ros2, .. } = arguments;
    let never = [
        ("--live", live.live.is_some()),
        ("--ros2", ros2.ros2.is_some()),
        ("--command-timeout", live.command_timeout.is_some()),
        ("--clock", pacing.clock.is_some()),
        ("--log", pacing.log.is_some()),
        ("--watch", arguments.watch),
        ("--capture", !arguments.capture.is_empty()),
        ("--snapshot-dir", resuming.snapshot_dir.is_some()),
    ];
    let of_files = [
        ("--mcap", mcap.is_on),
        ("--export", !mcap.export.is_empty()),
        ("--record", !arguments.record.is_empty()),
        ("--energy", arguments.energy),
        ("--log-period", arguments.log_period.is_some()),
        ("--stream", !arguments.groups.list.is_empty()),
        ("--hash-every", resuming.hash_every.is_some()),
        ("--snapshot-every", resuming.snapshot_every.is_some()),
    ];
    let given = |(name, is_given): &(&'static str, bool)| is_given.then_some(*name);
    let failed = |option: &str, help: &str| {
        let text = format!(
            "{option} has no meaning for an ensemble (--members)\nhelp: {help}--member K to run member K alone"
        );
        Err(Failure::new(Code::Usage, text))
    };
    if resuming.resume.is_some() {
        let text = "--resume has no meaning for an ensemble (--members)\nhelp: take snapshots of one member with \
                    --member K and --snapshot-every, and resume one without --members";
        return Err(Failure::new(Code::Usage, text));
    }
    if let Some(option) = never.iter().find_map(given) {
        return failed(option, "add ");
    }
    if let Some(option) = of_files.iter().find_map(given).filter(|_| !arguments.varying.each) {
        return failed(option, "add --each to write the files of each member, or ");
    }
    Ok(())
}
