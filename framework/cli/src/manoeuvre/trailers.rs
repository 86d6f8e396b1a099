//! The trailers of a combination.

use std::path::PathBuf;

use quick_xml::escape::escape;
use simhost::manoeuvres::TowedTrailer;

use super::DriveManoeuvre;
use crate::process::{Code, Failure};
use crate::vehicle;

/// Parses two numbers, separated by a comma.
pub(super) fn hitch(text: &str) -> Result<[f64; 2], String> {
    let numbers: Vec<f64> = text.split(',').filter_map(|one| one.trim().parse().ok()).collect();
    let pair =
        <[f64; 2]>::try_from(numbers).ok().filter(|pair| pair.iter().all(|one| one.is_finite()));
    pair.filter(|_| text.matches(',').count() == 1)
        .ok_or_else(|| "expected two numbers in m, such as -1,2.4".to_owned())
}

/// Returns the trailers of a combination.
pub(super) fn trailers(arguments: &DriveManoeuvre) -> Result<Vec<TowedTrailer>, Failure> {
    let (files, hitches) = (&arguments.trailers, &arguments.hitches);
    if files.len() != hitches.len() {
        let text = format!(
            "found {} of --trailer and {} of --hitch; expected a coupling for each trailer\nhelp: write --hitch \
             TOWING,TRAILER after each --trailer, such as --hitch -1,2.4",
            files.len(),
            hitches.len()
        );
        return Err(Failure::new(Code::Usage, text));
    }
    let folder = arguments.vehicle.parent();
    let trailer = |(at, (file, hitch)): (usize, (&PathBuf, &[f64; 2]))| {
        let class = escape(vehicle::class_of(file, None)?.as_str()).into_owned();
        let is_known = *file == arguments.vehicle || files[..at].contains(file);
        let declaration = match (is_known, file.parent() == folder) {
            (true, _) => String::new(),
            (false, true) => vehicle::include(file, &[]),
            (false, false) => {
                let whole = std::path::absolute(file).unwrap_or_else(|_| file.clone());
                format!("<include file=\"{}\"/>", escape(whole.to_string_lossy()))
            }
        };
        Ok(TowedTrailer { declaration, class, hitch: *hitch })
    };
    files.iter().zip(hitches).enumerate().map(trailer).collect()
}
