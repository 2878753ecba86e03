// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

// The part of UIKit for KymographUIKit and its example. Classes that the headers mark for the UI actor are @MainActor here.
// The compiler sees declarations alone: bodies are whatever compiles.
@_exported import QuartzCore

@MainActor @objc open class UIResponder: NSObject {}
@MainActor @objc open class UIView: UIResponder, @preconcurrency NSCoding {
  public init(frame: CGRect) {}
  public required init?(coder: NSCoder) { nil }
  open var layer: CALayer { fatalError() }
  open var window: UIWindow? { nil }
  open var superview: UIView? { nil }
  open var bounds: CGRect {
    get { fatalError() }
    set {}
  }
  open var center: CGPoint {
    get { fatalError() }
    set {}
  }
  open var backgroundColor: UIColor? {
    get { nil }
    set {}
  }
  open func convert(_ point: CGPoint, to view: UIView?) -> CGPoint { point }
  open func addGestureRecognizer(_ gestureRecognizer: UIGestureRecognizer) {}
  open func removeGestureRecognizer(_ gestureRecognizer: UIGestureRecognizer) {}
}
@MainActor @objc open class UIWindow: UIView {
  public init(windowScene: UIWindowScene) { super.init(frame: fatalError()) }
  public required init?(coder: NSCoder) { nil }
  open var rootViewController: UIViewController? {
    get { nil }
    set {}
  }
  open func makeKeyAndVisible() {}
}
@MainActor @objc public protocol UITextInputTraits: NSObjectProtocol {
  @objc optional var isSecureTextEntry: Bool { get set }
}
@MainActor @objc open class UITextField: UIView, UITextInputTraits {
  @objc open var isSecureTextEntry: Bool {
    get { false }
    set {}
  }
}
@MainActor @objc open class UIScrollView: UIView {
  open var contentOffset: CGPoint {
    get { fatalError() }
    set {}
  }
  open var contentSize: CGSize {
    get { fatalError() }
    set {}
  }
}
@MainActor @objc open class UIApplication: UIResponder {
  nonisolated public class var didEnterBackgroundNotification: NSNotification.Name { .init("") }
  nonisolated public class var willEnterForegroundNotification: NSNotification.Name { .init("") }
}

@MainActor @objc open class UITouch: NSObject {
  @objc public enum Phase: Int, Sendable {
    case began, moved, stationary, ended, cancelled, regionEntered, regionMoved, regionExited
  }
  public enum TouchType: Int, Sendable { case direct, indirect, pencil, indirectPointer }
  public struct Properties: OptionSet, Sendable {
    public var rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let location = Properties(rawValue: 8)
  }
  open var timestamp: TimeInterval { 0 }
  open var phase: Phase { .began }
  open var type: TouchType { .direct }
  open var view: UIView? { nil }
  open var window: UIWindow? { nil }
  open var estimatedPropertiesExpectingUpdates: Properties { [] }
  open var estimationUpdateIndex: NSNumber? { nil }
  open func location(in view: UIView?) -> CGPoint { fatalError() }
  open func preciseLocation(in view: UIView?) -> CGPoint { fatalError() }
}
@MainActor @objc open class UIEvent: NSObject {
  open var timestamp: TimeInterval { 0 }
  open var allTouches: Set<UITouch>? { nil }
  open func coalescedTouches(for touch: UITouch) -> [UITouch]? { nil }
  open func predictedTouches(for touch: UITouch) -> [UITouch]? { nil }
}

@MainActor @objc public protocol UIGestureRecognizerDelegate: NSObjectProtocol {
  @objc optional func gestureRecognizer(
    _ gestureRecognizer: UIGestureRecognizer,
    shouldRecognizeSimultaneouslyWith otherGestureRecognizer: UIGestureRecognizer
  ) -> Bool
}
@MainActor @objc open class UIGestureRecognizer: NSObject {
  @objc(UIGestureRecognizerState) public enum State: Int, Sendable {
    case possible, began, changed, ended, cancelled, failed
  }
  public init(target: Any?, action: Selector?) {}
  public convenience override init() { self.init(target: nil, action: nil) }
  public convenience init?(coder: NSCoder) { nil }
  open func addTarget(_ target: Any, action: Selector) {}
  open func removeTarget(_ target: Any?, action: Selector?) {}
  open weak var delegate: (any UIGestureRecognizerDelegate)?
  open var isEnabled: Bool {
    get { true }
    set {}
  }
  open var view: UIView? { nil }
  open var name: String? {
    get { nil }
    set {}
  }
  open var cancelsTouchesInView: Bool {
    get { true }
    set {}
  }
  open var delaysTouchesBegan: Bool {
    get { false }
    set {}
  }
  open var delaysTouchesEnded: Bool {
    get { true }
    set {}
  }
  open var requiresExclusiveTouchType: Bool {
    get { true }
    set {}
  }
  open var state: State {
    get { .possible }
    set {}
  }
  open func reset() {}
  open func canPrevent(_ preventedGestureRecognizer: UIGestureRecognizer) -> Bool { true }
  open func canBePrevented(by preventingGestureRecognizer: UIGestureRecognizer) -> Bool { true }
  open func shouldRequireFailure(of otherGestureRecognizer: UIGestureRecognizer) -> Bool { false }
  open func shouldBeRequiredToFail(by otherGestureRecognizer: UIGestureRecognizer) -> Bool { false }
  open func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {}
  open func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent) {}
  open func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent) {}
  open func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent) {}
  open func touchesEstimatedPropertiesUpdated(_ touches: Set<UITouch>) {}
}

@MainActor @objc open class UICollectionViewLayoutInvalidationContext: NSObject {}
@MainActor @objc open class UICollectionViewLayoutAttributes: NSObject {
  open var center: CGPoint {
    get { fatalError() }
    set {}
  }
  open var size: CGSize {
    get { fatalError() }
    set {}
  }
  open var transform: CGAffineTransform {
    get { fatalError() }
    set {}
  }
  open var transform3D: CATransform3D {
    get { fatalError() }
    set {}
  }
  open var alpha: CGFloat {
    get { 0 }
    set {}
  }
  open var zIndex: Int {
    get { 0 }
    set {}
  }
  open var isHidden: Bool {
    get { false }
    set {}
  }
  open var indexPath: IndexPath {
    get { fatalError() }
    set {}
  }
  open var representedElementCategory: UICollectionView.ElementCategory { .cell }
  open var representedElementKind: String? { nil }
}
extension IndexPath {
  public init(item: Int, section: Int) { fatalError() }
  public var item: Int {
    get { 0 }
    set {}
  }
  public var section: Int {
    get { 0 }
    set {}
  }
}
@MainActor @objc open class UICollectionViewLayout: NSObject, @preconcurrency NSCoding {
  public override init() {}
  public required init?(coder: NSCoder) { nil }
  open var collectionView: UICollectionView? { nil }
  open var collectionViewContentSize: CGSize { fatalError() }
  open func prepare() {}
  open func invalidateLayout() {}
  open func invalidateLayout(with context: UICollectionViewLayoutInvalidationContext) {}
  open func layoutAttributesForElements(in rect: CGRect) -> [UICollectionViewLayoutAttributes]? {
    nil
  }
  open func finalizeLayoutTransition() {}
}
@MainActor @objc open class UICollectionViewTransitionLayout: UICollectionViewLayout {
  public init(currentLayout: UICollectionViewLayout, nextLayout newLayout: UICollectionViewLayout) {
    super.init()
  }
  public required init?(coder: NSCoder) { nil }
  open var transitionProgress: CGFloat {
    get { 0 }
    set {}
  }
  open var currentLayout: UICollectionViewLayout { fatalError() }
  open var nextLayout: UICollectionViewLayout { fatalError() }
  open func updateValue(_ value: CGFloat, forAnimatedKey key: String) {}
  open func value(forAnimatedKey key: String) -> CGFloat { 0 }
}
@MainActor @objc open class UICollectionReusableView: UIView {}
@MainActor @objc open class UICollectionViewCell: UICollectionReusableView {
  open var contentView: UIView { fatalError() }
}
@MainActor @objc open class UICollectionView: UIScrollView {
  public enum ElementCategory: UInt, Sendable { case cell, supplementaryView, decorationView }
  public typealias LayoutInteractiveTransitionCompletion = (Bool, Bool) -> Void
  open var visibleCells: [UICollectionViewCell] { [] }
  open func indexPath(for cell: UICollectionViewCell) -> IndexPath? { nil }
  open func supplementaryView(
    forElementKind elementKind: String, at indexPath: IndexPath
  ) -> UICollectionReusableView? { nil }
  open func indexPathsForVisibleSupplementaryElements(ofKind elementKind: String) -> [IndexPath] {
    []
  }
  open func register(_ cellClass: AnyClass?, forCellWithReuseIdentifier identifier: String) {}
  open func dequeueReusableCell(
    withReuseIdentifier identifier: String, for indexPath: IndexPath
  ) -> UICollectionViewCell { fatalError() }
  open var collectionViewLayout: UICollectionViewLayout {
    get { fatalError() }
    set {}
  }
  open func startInteractiveTransition(
    to layout: UICollectionViewLayout, completion: LayoutInteractiveTransitionCompletion? = nil
  ) -> UICollectionViewTransitionLayout { fatalError() }
  open func finishInteractiveTransition() {}
  open func cancelInteractiveTransition() {}
}

@objc public enum UIViewAnimatingPosition: Int, Sendable { case end, start, current }
@objc public enum UIViewAnimatingState: Int, Sendable { case inactive, active, stopped }
@MainActor public protocol UITimingCurveProvider: NSObjectProtocol {}
@MainActor @objc open class UIViewPropertyAnimator: NSObject {
  public init(duration: TimeInterval, timingParameters parameters: any UITimingCurveProvider) {}
  open var fractionComplete: CGFloat {
    get { 0 }
    set {}
  }
  open var isReversed: Bool {
    get { false }
    set {}
  }
  open var isRunning: Bool { false }
  open var state: UIViewAnimatingState { .inactive }
  open func addCompletion(_ completion: @escaping (UIViewAnimatingPosition) -> Void) {}
  open func continueAnimation(
    withTimingParameters parameters: (any UITimingCurveProvider)?, durationFactor: CGFloat
  ) {}
}
@MainActor @objc public protocol UIViewControllerTransitionCoordinatorContext: NSObjectProtocol {
  var percentComplete: CGFloat { get }
  var isInteractive: Bool { get }
  var isCancelled: Bool { get }
}
@MainActor @objc
public protocol UIViewControllerTransitionCoordinator: UIViewControllerTransitionCoordinatorContext
{
  @objc(animateAlongsideTransition:completion:) @discardableResult
  func animate(
    alongsideTransition animation: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?,
    completion: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?
  ) -> Bool
  func notifyWhenInteractionChanges(
    _ handler: @escaping (any UIViewControllerTransitionCoordinatorContext) -> Void)
}
@MainActor @objc open class UIUpdateInfo: NSObject {
  open var modelTime: TimeInterval { 0 }
  open var completionDeadlineTime: TimeInterval { 0 }
  open var estimatedPresentationTime: TimeInterval { 0 }
}
@available(iOS 18.0, *)
@available(macCatalyst, unavailable)
@MainActor @objc open class UIUpdateActionPhase: NSObject {
  open class var afterCATransactionCommit: UIUpdateActionPhase { fatalError() }
}
@available(iOS 18.0, *)
@available(macCatalyst, unavailable)
@MainActor @objc open class UIUpdateLink: NSObject {
  public init(view: UIView) {}
  open var isEnabled: Bool {
    get { false }
    set {}
  }
  open var requiresContinuousUpdates: Bool {
    get { false }
    set {}
  }
  open func addAction(
    to phase: UIUpdateActionPhase, handler: @escaping (UIUpdateLink, UIUpdateInfo) -> Void
  ) {}
}

@MainActor @objc open class UIPinchGestureRecognizer: UIGestureRecognizer {
  open var scale: CGFloat {
    get { 1 }
    set {}
  }
}
@MainActor @objc open class UICollectionViewFlowLayout: UICollectionViewLayout {
  open var itemSize: CGSize {
    get { fatalError() }
    set {}
  }
}
@MainActor @objc open class UIViewController: UIResponder {
  open func viewDidLoad() {}
  open func viewDidAppear(_ animated: Bool) {}
}
@MainActor @objc open class UICollectionViewController: UIViewController {
  public init(collectionViewLayout layout: UICollectionViewLayout) {}
  public required init?(coder: NSCoder) { nil }
  open var collectionView: UICollectionView! {
    get { nil }
    set {}
  }
  open func collectionView(
    _ collectionView: UICollectionView, numberOfItemsInSection section: Int
  ) -> Int { 0 }
  open func collectionView(
    _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
  ) -> UICollectionViewCell { fatalError() }
  open func collectionView(
    _ collectionView: UICollectionView,
    transitionLayoutForOldLayout fromLayout: UICollectionViewLayout,
    newLayout toLayout: UICollectionViewLayout
  ) -> UICollectionViewTransitionLayout { fatalError() }
}

// The start of the example app.
@objc open class UIColor: NSObject {
  public init(hue: CGFloat, saturation: CGFloat, brightness: CGFloat, alpha: CGFloat) {}
}
@MainActor @objc open class UIScene: UIResponder {
  open class ConnectionOptions: NSObject {}
}
@MainActor @objc open class UIWindowScene: UIScene {}
@MainActor @objc open class UISceneSession: NSObject {
  public struct Role: Hashable, Sendable {}
  open var role: Role { fatalError() }
}
@MainActor @objc open class UISceneConfiguration: NSObject {
  public init(name: String?, sessionRole: UISceneSession.Role) {}
  open var delegateClass: AnyClass? {
    get { nil }
    set {}
  }
}
@MainActor @objc public protocol UISceneDelegate: NSObjectProtocol {
  @objc optional func scene(
    _ scene: UIScene, willConnectTo session: UISceneSession,
    options connectionOptions: UIScene.ConnectionOptions)
}
@MainActor @objc public protocol UIWindowSceneDelegate: UISceneDelegate {}
@MainActor @objc public protocol UIApplicationDelegate: NSObjectProtocol {
  @objc optional func application(
    _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
    options: UIScene.ConnectionOptions
  ) -> UISceneConfiguration
}
extension UIApplicationDelegate {
  public static func main() {}
}
