// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

// The part of QuartzCore for KymographUIKit. None of it is isolated to the main actor.
@_exported import Foundation

public typealias CFTimeInterval = Double
public func CACurrentMediaTime() -> CFTimeInterval { 0 }
public struct CATransform3D: Sendable {
  public var m11, m12, m13, m14, m21, m22, m23, m24, m31, m32, m33, m34, m41, m42, m43, m44: CGFloat
}
@objc open class CADisplayLink: NSObject {
  public init(target: Any, selector sel: Selector) {}
  open func add(to runloop: RunLoop, forMode mode: RunLoop.Mode) {}
  open func remove(from runloop: RunLoop, forMode mode: RunLoop.Mode) {}
  open func invalidate() {}
  open var timestamp: CFTimeInterval { 0 }
  open var duration: CFTimeInterval { 0 }
  open var targetTimestamp: CFTimeInterval { 0 }
  open var isPaused: Bool {
    get { false }
    set {}
  }
}
@objc open class CALayer: NSObject {
  open func presentation() -> Self? { nil }
  open var position: CGPoint {
    get { fatalError() }
    set {}
  }
  open var bounds: CGRect {
    get { fatalError() }
    set {}
  }
  open var transform: CATransform3D {
    get { fatalError() }
    set {}
  }
  open var opacity: Float {
    get { 0 }
    set {}
  }
  open var zPosition: CGFloat {
    get { 0 }
    set {}
  }
  open var isHidden: Bool {
    get { false }
    set {}
  }
  open var superlayer: CALayer? { nil }
  open func convert(_ p: CGPoint, from l: CALayer?) -> CGPoint { p }
  open func convert(_ p: CGPoint, to l: CALayer?) -> CGPoint { p }
}
