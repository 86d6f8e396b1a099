/*
 * Friction from a table of slip and friction coefficient, in C++17.
 *
 * No exception may leave a plugin: simhost_guard, around the body of every function that may throw,
 * turns it into a fault. Here the constructor throws when a table makes no sense.
 *
 * c++ -std=c++17 -O2 -ffp-contract=off -fvisibility=hidden -fno-gnu-unique -shared -fPIC -I.. \
 *     -o cpp_table.so table.cpp
 */
#include "simhost_plugin.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

namespace {

/* The friction coefficient at each slip. */
class Table {
public:
    Table(std::vector<double> slips, std::vector<double> coefficients)
        : slips_(std::move(slips)), mu_(std::move(coefficients)) {
        if (slips_.size() != mu_.size() || slips_.empty())
            throw std::invalid_argument("<slip> and <mu> need as many numbers, one at least");
        if (std::adjacent_find(slips_.begin(), slips_.end(), std::greater_equal<>()) != slips_.end())
            throw std::invalid_argument("the numbers of <slip> have to rise");
    }

    /* Linear between the points, level beyond them. */
    double at(double slip) const {
        const auto above = std::upper_bound(slips_.begin(), slips_.end(), slip);
        if (above == slips_.begin()) return mu_.front();
        if (above == slips_.end()) return mu_.back();
        const auto k = static_cast<std::size_t>(above - slips_.begin());
        const double part = (slip - slips_[k - 1]) / (slips_[k] - slips_[k - 1]);
        return mu_[k - 1] + part * (mu_[k] - mu_[k - 1]);
    }

private:
    std::vector<double> slips_, mu_;
};

std::vector<double> numbers(const simhost_value &list) {
    std::vector<double> made;
    for (std::size_t k = 0; k < list.items.len; k++) made.push_back(list.items.data[k].number);
    return made;
}

uint32_t create(simhost_value_slice values, void **handle, simhost_fault *fault) {
    return simhost_guard(
        fault,
        [&] {
            if (values.len != 2) throw std::invalid_argument("2 values are needed");
            *handle = new Table(numbers(values.data[0]), numbers(values.data[1]));
            return SIMHOST_FAULT_NONE;
        },
        SIMHOST_FAULT_REFUSED);
}

void destroy(void *handle) { delete static_cast<Table *>(handle); }

enum { VX, VY, SPIN, NORMAL_FORCE, GRAVITY, RADIUS, INERTIA }; /* as in `inputs` */
enum { FX, FY, SPIN_TORQUE };                                  /* as in `outputs` */

uint32_t force(const void *handle, const simhost_batch *batch, simhost_fault *fault) {
    return simhost_guard(fault, [&] {
        const auto &table = *static_cast<const Table *>(handle);
        const double *const *in = batch->inputs;
        for (std::size_t i = batch->first; i < batch->first + batch->count; i++) {
            const double radius = in[RADIUS][i], rim = in[SPIN][i] * radius, load = in[NORMAL_FORCE][i];
            const double x = in[VX][i] - rim, y = in[VY][i], sliding = std::sqrt(x * x + y * y);
            const double fastest = std::max({std::abs(in[VX][i]), std::abs(rim), 0.1});
            const double grip = table.at(sliding / fastest) * load / std::max(sliding, 1e-9);
            /* no more than stops the sliding within the step: of the rim, and of the mass above */
            const double fx = -std::min(grip, in[INERTIA][i] / (radius * radius) / batch->dt) * x;
            batch->outputs[FX][i] = fx;
            batch->outputs[FY][i] = -std::min(grip, load / in[GRAVITY][i] / batch->dt) * y;
            batch->outputs[SPIN_TORQUE][i] = -radius * fx;
        }
        return SIMHOST_FAULT_NONE;
    });
}

const simhost_value slips[] = {SIMHOST_NUMBER(0.0), SIMHOST_NUMBER(0.1), SIMHOST_NUMBER(1.0)};
const simhost_value coefficients[] = {SIMHOST_NUMBER(0.0), SIMHOST_NUMBER(0.9), SIMHOST_NUMBER(0.7)};
#define LIST(key, doc, array)                                                                     \
    { sizeof(simhost_param_desc), SIMHOST_PARAM_LIST, 0, 0, SIMHOST_STR(key), SIMHOST_EMPTY,      \
      SIMHOST_STR(doc), SIMHOST_STR("1"), 1.0, 0.0, 10.0,                                         \
      {SIMHOST_VALUE_ITEMS, 0, 0.0, SIMHOST_STR(""), SIMHOST_SLICE(array)}, SIMHOST_EMPTY, SIMHOST_EMPTY }
const simhost_param_desc params[] = {LIST("slip", "Slips, rising.", slips),
    LIST("mu", "Friction coefficient at each slip; raised, the tyre grips harder.", coefficients)};
const simhost_port_desc inputs[] = {
    SIMHOST_PORT("vx", "m/s", "forwards", 0), SIMHOST_PORT("vy", "m/s", "leftwards", 0),
    SIMHOST_PORT("spin", "rad/s", "spin", 0), SIMHOST_PORT("normal_force", "N", "load", 0),
    SIMHOST_PORT("gravity", "m/s²", "gravity", 0), SIMHOST_PORT("radius", "m", "radius", 0),
    SIMHOST_PORT("inertia", "kg·m²", "inertia", 0)};
const simhost_port_desc outputs[] = {SIMHOST_PORT("fx", "N", "force forwards", 0),
    SIMHOST_PORT("fy", "N", "force leftwards", 0), SIMHOST_PORT("spin_torque", "N·m", "axle", 0)};
const simhost_phase phases[] = {SIMHOST_PHASE("force", inputs, outputs, force)};
const simhost_model model = {sizeof(simhost_model), SIMHOST_KIND_FRICTION, 0, 0,
    SIMHOST_STR("cpp_table"), SIMHOST_STR("0.1.0"), SIMHOST_STR("Friction from a table."),
    SIMHOST_SLICE(params), SIMHOST_EMPTY, SIMHOST_EMPTY, SIMHOST_EMPTY, nullptr, SIMHOST_SLICE(phases),
    create, destroy, nullptr, nullptr, nullptr};
const simhost_model_ref models[] = {&model};

} // namespace

const simhost_plugin simhost_plugin_v1 = {SIMHOST_HEAD, SIMHOST_STR("example"),
    SIMHOST_STR("table"), SIMHOST_STR("0.1.0"), SIMHOST_SLICE(models)};
