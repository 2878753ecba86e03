// What an app on UIKit records itself with. Where there is no UIKit this module has no declarations of its own.
@_exported public import Kymograph
@_exported public import MotionPhysics
