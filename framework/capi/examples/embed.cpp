/*
 * The example embed.c in C++17. Failed calls throw.
 *
 *     c++ -std=c++17 -Iframework/capi/include framework/capi/examples/embed.cpp \
 *         -Ltarget/release -lsimhost -Wl,-rpath,target/release -o embed
 */
#include "simhost.hpp"

#include <cstdio>

int main(int count, char **arguments) try {
    simhost::Session session(count == 2 ? arguments[1] : "worlds/demo.world.xml");
    const simhost::Command twist = session.command("robot", "twist");
    twist({1.0, 0.0, 0.0});
    for (int second = 1; second <= 4; ++second) {
        session.run_until(second);
        const simhost_odometry odometry = session.odometry("robot/odometry");
        const simhost_odometry truth = session.odometry("robot/ground_truth");
        std::printf("%d s: at %6.3f, %6.3f m; odometry says %6.3f, %6.3f m\n", second, truth.pose[0],
                    truth.pose[1], odometry.pose[0], odometry.pose[1]);
        if (second == 2) {
            twist({0.5, 0.0, 0.6}); // turn away from the wall
        }
    }

    // the state can be copied, and the copy does not disturb the original
    simhost::Session copy = session.fork();
    copy.set_parameter("robot/controller/KP", "5");
    copy.run_until(6.0);
    std::printf("the copy has reached %g s, the original is at %g s\n", copy.time(), session.time());
    return 0;
} catch (const simhost::Error &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
