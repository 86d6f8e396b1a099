//! The types of streams, a file each.
//!
//! Everything about the form of samples follows from the struct of a type: the order of their values, the
//! columns of CSV and Parquet files, CDR and JSON, and the table in the book.

mod declare;
mod fields;

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
    ($($module:ident: $name:ident;)*) => {
        $(mod $module;)*
        $(pub use $module::$name;)*

        /// The types that the host knows, in the order of the book.
        pub const ALL: &[StreamType] = &[$($name::TYPE),*];
    };
}

types! {
    clock: Clock;
    odometry: Odometry;
    vehicle_odometry: VehicleOdometry;
    transforms: Transforms;
    markers: Markers;
    occupancy_grid: OccupancyGrid;
    wheels: Wheels;
    joint_state: JointState;
    diagnostics: Diagnostics;
    laser_scan: LaserScan;
    range: Range;
    point_cloud: PointCloud;
    image: Image;
    camera_info: CameraInfo;
    imu: Imu;
    nav_sat_fix: NavSatFix;
    magnetic_field: MagneticField;
    fluid_pressure: FluidPressure;
    control_mode_report: ControlModeReport;
    boolean: Bool;
    gear_report: GearReport;
    turn_indicators_report: TurnIndicatorsReport;
    hazard_lights_report: HazardLightsReport;
    actuation_status: ActuationStatus;
    velocity_report: VelocityReport;
    acceleration: Acceleration;
    steering_report: SteeringReport;
    twist: Twist;
    ackermann_drive: AckermannDrive;
    control_command: ControlCommand;
    gear_command: GearCommand;
    turn_indicators_command: TurnIndicatorsCommand;
    hazard_lights_command: HazardLightsCommand;
    engage: Engage;
    pose: Pose;
    pose_with_covariance: PoseWithCovariance;
    parameter: Parameter;
    recording: Recording;
    count: Count;
    number: Number;
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
