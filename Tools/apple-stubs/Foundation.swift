// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

// The part of Foundation for KymographUIKit, as on Apple platforms: it passes ObjectiveC and CoreGraphics on.
@_exported import CoreGraphics
@_exported import ObjectiveC

public typealias TimeInterval = Double
open class NSCoder: NSObject {}
@objc public protocol NSCoding {
  @objc(initWithCoder:) init?(coder: NSCoder)
}
open class NSNumber: NSObject {}
open class NSNotification: NSObject {
  public struct Name: Hashable, Sendable { public init(_ rawValue: String) {} }
}
public struct Notification { public typealias Name = NSNotification.Name }
open class NotificationCenter: NSObject {
  open class var `default`: NotificationCenter { fatalError() }
  open func addObserver(
    _ observer: Any, selector aSelector: Selector, name aName: NSNotification.Name?,
    object anObject: Any?
  ) {}
  open func removeObserver(_ observer: Any) {}
}
open class RunLoop: NSObject {
  public struct Mode: Hashable, Sendable {
    public static let common = Mode()
    public static let `default` = Mode()
  }
  open class var main: RunLoop { fatalError() }
}
public struct IndexPath: Hashable, Sendable, RandomAccessCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { 0 }
  public subscript(index: Int) -> Int { 0 }
}
public struct URL: Hashable, Sendable {
  public var path: String { "" }
  public func appendingPathComponent(_ part: String) -> URL { self }
}
open class FileManager: NSObject {
  open class var `default`: FileManager { fatalError() }
  public enum SearchPathDirectory: UInt {
    case applicationSupportDirectory = 14
    case documentDirectory = 9
  }
  public struct SearchPathDomainMask: OptionSet, Sendable {
    public var rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let userDomainMask = SearchPathDomainMask(rawValue: 1)
  }
  open func url(
    for directory: SearchPathDirectory, in domain: SearchPathDomainMask, appropriateFor url: URL?,
    create shouldCreate: Bool
  ) throws -> URL { fatalError() }
}

// The conversions that make Bool and String fit Objective-C declarations.
open class NSString: NSObject {}
extension Bool: _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSNumber { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ x: NSNumber, result: inout Bool?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ x: NSNumber, result: inout Bool?) -> Bool
  { false }
  public static func _unconditionallyBridgeFromObjectiveC(_ x: NSNumber?) -> Bool { false }
}
extension String: _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSString { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ x: NSString, result: inout String?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ x: NSString, result: inout String?)
    -> Bool
  { false }
  public static func _unconditionallyBridgeFromObjectiveC(_ x: NSString?) -> String { "" }
}

// Of Darwin, which Foundation passes on.
public func exit(_ status: Int32) -> Never { fatalError() }
