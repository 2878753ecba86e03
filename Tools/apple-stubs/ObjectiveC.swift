// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

// The part of the module ObjectiveC for KymographUIKit.
public struct Selector: Hashable, Sendable, ExpressibleByStringLiteral {
  public init(_ name: String) {}
  public init(stringLiteral value: String) {}
}
@objc public protocol NSObjectProtocol: AnyObject {}
@objc open class NSObject: NSObjectProtocol, Hashable {
  @objc public init() {}
  public static func == (left: NSObject, right: NSObject) -> Bool { left === right }
  public func hash(into hasher: inout Hasher) {}
}
