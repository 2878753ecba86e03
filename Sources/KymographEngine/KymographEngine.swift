// The engine with its layouts, physics, gestures and scenarios, and what records it. This module has no
// declarations of its own.
@_exported public import GestureInput
@_exported public import Kymograph
@_exported public import MotionPhysics
@_exported public import TransitionEngine
@_exported public import TransitionScenarios
