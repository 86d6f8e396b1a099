//! Names of other versions of MVSim than 1.2: those that were dropped before, and those that were added
//! later. They have no effect here.
//!
//! Sources: the change log of MVSim up to 0.10, its manual, and its readers of parameters.

use crate::diagnostics::Diagnostic;
use crate::sources::Span;

/// Names with a common history.
pub(crate) struct History {
    /// Elements that contain them.
    pub owners: &'static [&'static str],
    /// Names of attributes or child elements.
    pub names: &'static [&'static str],
    /// Versions that read them.
    pub versions: &'static str,
    /// Fate of the names, or their purpose.
    pub remark: &'static str,
}

/// Versions after the one whose files are read here.
const LATER: &str = "MVSim after 1.2";
const VISUAL: &str = "it affects visualisation only";

/// Elements that can carry lamps.
const BODIES: &[&str] = &["vehicle", "vehicle:class", "block", "block:class"];

const WHEELS: &[&str] = &[
    "l_wheel",
    "r_wheel",
    "caster_wheel",
    "lf_wheel",
    "rf_wheel",
    "lr_wheel",
    "rr_wheel",
    "fl_wheel",
    "fr_wheel",
    "rl_wheel",
];

/// Names of `<lights>` that were names of `<gui>`.
const SHADOWS: &[&str] = &[
    "enable_shadows",
    "shadow_map_size",
    "light_azimuth",
    "light_elevation",
    "light_azimuth_deg",
    "light_elevation_deg",
    "light_clip_plane_min",
    "light_clip_plane_max",
    "shadow_bias",
    "shadow_bias_cam2frag",
    "shadow_bias_normal",
];

const LAMPS: &[&str] = &[
    "point_light",
    "spot_light",
    "light_diffuse",
    "light_specular",
    "ambient_sky_color",
    "ambient_ground_color",
    "shadow_cascades",
    "sensor_shadow_cascades",
    "disable_lights_on_high_cpu_usage",
];

/// All names of other versions.
pub(crate) const NAMES: &[History] = &[
    names(
        &["sensor"],
        &["fbo_nrows"],
        "MVSim 0.5 to 0.7.3",
        "later versions compute it from the angles of the rays",
    ),
    names(
        &["sensor"],
        &["save_to_rawlog"],
        "MVSim 0.3 to 0.8.0",
        "later versions have one for the whole world; readings are written with `simhost run --out`",
    ),
    names(
        &["gui"],
        SHADOWS,
        "MVSim 0.6",
        "it belongs in <lights> since 0.7; it affects visualisation only",
    ),
    names(
        &["gui"],
        &["update_fps"],
        "MVSim before 0.4",
        "it is called `refresh_fps` since then; it affects visualisation only",
    ),
    names(&["gui"], &["show_trajectories"], "MVSim 1.3 and later", VISUAL),
    names(&["gui"], &["show_sensor_previews", "show_gui_panels"], LATER, VISUAL),
    names(&["sensor"], &["preview_win_visible"], "MVSim 1.3 and later", VISUAL),
    names(&["controller"], &["viz_height"], "MVSim 1.3 and later", VISUAL),
    names(&["lights"], LAMPS, LATER, VISUAL),
    names(&["visual"], &["model_emissive", "cast_shadows", "light_group"], LATER, VISUAL),
    names(BODIES, &["light_group"], LATER, VISUAL),
    names(&["element"], &["normal_map", "normal_map_image"], LATER, VISUAL),
    names(
        &["element"],
        &["geo_corner_sw", "geo_corner_ne"],
        LATER,
        "<x_min>, <x_max>, <y_min> and <y_max> set the extent of the plane",
    ),
    names(&["sensor"], &["preview_depth"], LATER, VISUAL),
    names(WHEELS, &["joint_name"], LATER, "it names a joint of ROS, which is not connected"),
    names(
        &["controller"],
        &["command_interface", "controllers_yaml", "robot_description"],
        LATER,
        "it configures ROS, which is not connected",
    ),
    names(&["mvsim_world"], &["verbatim"], LATER, "its content is not read"),
];

const fn names(
    owners: &'static [&'static str],
    names: &'static [&'static str],
    versions: &'static str,
    remark: &'static str,
) -> History {
    History { owners, names, versions, remark }
}

/// Returns a warning with the history of a name that the present version does not know, if another
/// version knows it in this element.
pub(crate) fn warning(owner: &str, name: &str, span: Span) -> Option<Diagnostic> {
    let is_it = |known: &&History| known.owners.contains(&owner) && known.names.contains(&name);
    let History { versions, remark, .. } = NAMES.iter().find(is_it)?;
    let warning = Diagnostic::warning(format!("`{name}` has no effect"))
        .at(span)
        .label("ignored")
        .note(format!("`{name}` is a name of {versions}: {remark}"));
    Some(warning)
}

#[cfg(test)]
mod tests {
    use super::NAMES;

    #[test]
    fn names_and_owners_are_listed_once() {
        let mut seen = std::collections::HashSet::new();
        for history in NAMES {
            for owner in history.owners {
                for name in history.names {
                    assert!(seen.insert((owner, name)), "`{name}` in <{owner}>");
                }
            }
        }
    }

    #[test]
    fn present_names_are_not_those_of_other_versions() {
        for section in crate::world::sections() {
            let tag = section.name.split(' ').next().unwrap_or_default();
            for history in NAMES.iter().filter(|history| history.owners.contains(&tag)) {
                let known = history.names.iter().find(|name| section.has(name));
                assert_eq!(known, None, "<{}>", section.name);
            }
        }
    }
}
