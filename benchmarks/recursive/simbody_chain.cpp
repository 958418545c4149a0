// Compiled where Simbody is found (package libsimbody-dev); nothing of Solidyn is in it.
#include "recursive/simbody_chain.h"

#include <Simbody.h>

#include <stdexcept>

namespace solidyn::benchmarks {

struct SimbodyChain::Model {
  explicit Model(int n) : matter(system), forces(system) {
    SimTK::Force::UniformGravity(forces, matter, SimTK::Vec3(0, -9.81, 0));
    const SimTK::Body::Rigid link(
        SimTK::MassProperties(1.0, SimTK::Vec3(0), SimTK::Inertia(1e-3, 1.0 / 12, 1.0 / 12)));
    SimTK::MobilizedBody before = matter.updGround();
    for (int i = 0; i < n; ++i)
      before = SimTK::MobilizedBody::Pin(before, SimTK::Vec3(i > 0 ? 0.5 : 0.0, 0, 0), link,
                                         SimTK::Vec3(-0.5, 0, 0));
    state = system.realizeTopology();
    system.realizeModel(state);
    accelerations.resize(n);
  }
  void set(SimTK::State& at, const Eigen::VectorXd& q, const Eigen::VectorXd& u) const {
    SimTK::Vector &of_q = at.updQ(), &of_u = at.updU();
    for (int i = 0; i < q.size(); ++i) {
      of_q[i] = q[i];
      of_u[i] = u[i];
    }
  }
  SimTK::MultibodySystem system;
  SimTK::SimbodyMatterSubsystem matter;
  SimTK::GeneralForceSubsystem forces;
  SimTK::State state;
  std::unique_ptr<SimTK::SemiExplicitEulerIntegrator> integrator;
  Eigen::VectorXd accelerations;
};

SimbodyChain::SimbodyChain(int n) : model_(std::make_unique<Model>(n)) {}
SimbodyChain::~SimbodyChain() = default;

const Eigen::VectorXd& SimbodyChain::compute_accelerations(const Eigen::VectorXd& q,
                                                           const Eigen::VectorXd& u) {
  model_->set(model_->state, q, u);
  model_->system.realize(model_->state, SimTK::Stage::Acceleration);
  const SimTK::Vector& du = model_->state.getUDot();
  for (int i = 0; i < u.size(); ++i) model_->accelerations[i] = du[i];
  return model_->accelerations;
}

void SimbodyChain::start(const Eigen::VectorXd& q, const Eigen::VectorXd& u, double h) {
  SimTK::State at = model_->state;
  at.setTime(0.0);
  model_->set(at, q, u);
  model_->integrator = std::make_unique<SimTK::SemiExplicitEulerIntegrator>(model_->system, h);
  model_->integrator->setReturnEveryInternalStep(true);
  model_->integrator->initialize(at);
  // The first call after initialize() only reports the start.
  model_->integrator->stepTo(SimTK::Infinity);
  step();
}

void SimbodyChain::step() {
  SimTK::Integrator& integrator = *model_->integrator;
  const int before = integrator.getNumStepsTaken();
  integrator.stepTo(SimTK::Infinity);
  if (integrator.getNumStepsTaken() != before + 1)
    throw std::logic_error("Simbody took no step, or more than one, for one that is timed");
}

}  // namespace solidyn::benchmarks
