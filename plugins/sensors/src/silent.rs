//! Sensors whose parameters are accepted but which do not measure anything yet.

/// A sensor without readings.
macro_rules! silent {
    ($sensor:ty) => {
        #[model]
        impl Sensor for $sensor {
            type Readings = ();
            fn read(&self, _: &(), _: &mut RayReadings, _: &mut Random, _: &Step, _: &mut ()) {}
        }
    };
}

pub(crate) use silent;
