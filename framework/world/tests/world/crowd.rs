//! A world with many vehicles, for the tests and the benchmark of loading.

/// Returns a world with vehicles of ten classes, each with its own pose and friction.
pub(crate) fn crowd(count: usize) -> String {
    let mut text = String::from("<mvsim_world version=\"1.0\">\n");
    for class in 0..10 {
        text += &format!(
            "<vehicle:class name=\"c{class}\"><dynamics class=\"differential\">\
             <l_wheel pos=\"0 0.{class}1\" mass=\"2\"/><r_wheel pos=\"0 -0.2\" mass=\"2\"/>\
             <chassis mass=\"1{class}\" zmin=\"0.1\" zmax=\"0.5\"><shape><pt>-0.2 -0.2</pt>\
             <pt>0.2 -0.2</pt><pt>0.2 0.2</pt><pt>-0.2 0.2</pt></shape></chassis>\
             <controller class=\"twist_pid\"><KP>5</KP><KI>1</KI></controller></dynamics>\
             <friction class=\"default\"><mu>0.7</mu></friction>\
             <sensor class=\"laser\" name=\"scan\"><nrays>91</nrays></sensor></vehicle:class>\n"
        );
    }
    for number in 0..count {
        let (class, x, y) = (number % 10, number % 100, number / 100);
        text += &format!(
            "<vehicle name=\"robot{number}\" class=\"c{class}\">\n  <init_pose>{x} {y} 45</init_pose>\n  \
             <init_vel>0.5 0 10</init_vel>\n  <friction><mu>0.{}</mu></friction>\n</vehicle>\n",
            number % 9 + 1
        );
    }
    text + "</mvsim_world>\n"
}
