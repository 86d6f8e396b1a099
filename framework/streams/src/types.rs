//! The types of streams.
//!
//! Everything about the form of samples follows from the struct of a type: the order of their values, the
//! columns of CSV and Parquet files, CDR and JSON, and the table in the book.

mod cameras;
mod commands;
mod declare;
mod fields;
mod joints;
mod maps;
mod motion;
mod navigation;
mod numbers;
mod ranging;
mod reports;
mod run;

use crate::sample::Sample;
use crate::stream::{Stream, StreamType};

pub use fields::{Bytes, Numbers, PerLabel, Texts};

/// A sample of a known type, with named fields.
pub trait TypedSample: Sized {
    /// Name of the type.
    const NAME: &'static str;

    /// Returns a sample of a stream of this type.
    fn from_sample(stream: &Stream, sample: &Sample<'_>) -> Self;
}

/// Lists the types with their modules.
macro_rules! types {
    ($($module:ident::$name:ident;)*) => {
        $(pub use $module::$name;)*

        /// The types that the host knows, in the order of the book.
        pub const ALL: &[StreamType] = &[$($name::TYPE),*];
    };
}

types! {
    run::Clock;
    motion::Odometry;
    motion::VehicleOdometry;
    motion::Transforms;
    maps::Markers;
    maps::OccupancyGrid;
    joints::Wheels;
    joints::JointState;
    run::Diagnostics;
    ranging::LaserScan;
    ranging::Range;
    ranging::PointCloud;
    cameras::Image;
    cameras::CameraInfo;
    navigation::Imu;
    navigation::NavSatFix;
    navigation::MagneticField;
    navigation::FluidPressure;
    reports::ControlModeReport;
    numbers::Bool;
    reports::GearReport;
    reports::TurnIndicatorsReport;
    reports::HazardLightsReport;
    reports::ActuationStatus;
    reports::VelocityReport;
    motion::Acceleration;
    reports::SteeringReport;
    motion::Twist;
    commands::AckermannDrive;
    commands::ControlCommand;
    commands::GearCommand;
    commands::TurnIndicatorsCommand;
    commands::HazardLightsCommand;
    commands::Engage;
    motion::Pose;
    motion::PoseWithCovariance;
    run::Parameter;
    run::Recording;
    run::Count;
    run::Text;
    numbers::Number;
}

#[cfg(test)]
mod tests {
    use super::ALL;

    #[test]
    fn types_have_different_names_and_meanings_that_are_sentences() {
        let mut names: Vec<&str> = ALL.iter().map(|kind| kind.name.as_ref()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), ALL.len());
        for kind in ALL {
            let docs = kind.fields.iter().map(|field| &field.doc).chain([&kind.doc]);
            docs.for_each(|doc| assert!(doc.ends_with('.'), "{}: {doc}", kind.name));
        }
    }
}
