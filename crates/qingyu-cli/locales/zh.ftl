# 命令行的中文文本。与 en.ftl 的键和变量相同（有测试保证）。

## 小处

label = { $name }：
list-comma = 、
list-semicolon = ；
full-stop = 。
quote = 「{ $text }」
none = 无
unknown = 未知
nothing-yet = 这里还没有内容。
also-called = （又名{ $names }）
hint = 提示
stopping = 正在最近的检查点停下……再按一次 Ctrl-C 强制退出。

## 智能体、条目与各种枚举

agent-planner = 规划
agent-planner-agent = 规划
agent-worldview-agent = 世界观
agent-character-agent = 人物
agent-outline-agent = 大纲
agent-plot-agent = 情节
agent-style-agent = 文风
agent-review-agent = 审校
agent-meta-scheduler = 调度
agent-human-review = 人工审阅
agent-worldview = 世界观
agent-character = 人物
agent-outline = 大纲
agent-plot = 情节
agent-style = 文风
agent-review = 审校
agent-creative = 创作
agent-analysis = 分析
agent-text-review = 文本审核
agent-assistant = 助手
agent-data-analysis = 数据
agent-checker = 检查
agent-orchestrator = 调度
agent-person = 作者
agent-default = 全部角色
capability-worldview = 世界观
capability-character = 人物
capability-outline = 大纲
capability-plot = 情节
capability-style = 文风
requirement-new-creation = 新作品
requirement-extension = 续写已有作品
requirement-modification = 修改已有作品
complexity-simple = 简单
complexity-medium = 中等
complexity-complex = 复杂
work-mode-generate = 首次生成
work-mode-correct = 修正
work-mode-regenerate = 重新生成
correction-incremental = 增量修正：只改指出之处，其余不动
correction-incremental-fix = 增量修正：只改指出之处，其余不动
correction-regenerate = 重新生成
strategy-none = 无需处理
strategy-incremental-fix = 增量修正
strategy-regenerate = 重新生成
strategy-human-review = 请作者定夺
severity-critical = 致命
severity-high = 严重
severity-medium = 中等
severity-low = 轻微
category-consistency = 一致性
category-completeness = 完整性
category-rationality = 合理性
category-quality = 质量
source-rule = 规则
source-model = 模型
source-human = 作者
work-outline = 大纲
work-character = 人物
work-relation = 关系
work-plot = 情节
work-timeline = 时间线
work-worldview = 世界观
work-style = 文风
work-continuity = 连贯
action-create = 新增
action-update = 修改
action-delete = 删除
role-protagonist = 主角
role-antagonist = 反派
role-supporting = 配角
role-minor = 次要
relation-knows = 相识
relation-friend = 朋友
relation-enemy = 敌人
relation-family = 亲属
relation-lover = 恋人
relation-rival = 对手
relation-ally = 盟友
relation-sibling = 手足
relation-parent-of = 父母
relation-child-of = 子女
relation-mentor-of = 师长
relation-student-of = 弟子
relation-employer-of = 上司
relation-employee-of = 手下
predicate-is-at = 在
predicate-within = 位于
predicate-holds = 持有
predicate-held-by = 归
predicate-gets = 得到
predicate-loses = 失去
predicate-gives = 交出
predicate-uses = 使用
predicate-knows = 知道
predicate-learns = 得知
predicate-takes-for-true = 信以为真
predicate-dies = 死亡
predicate-died-in = 死于
predicate-birth = 出生于
predicate-birthplace = 籍贯
predicate-lives-in = 住在
predicate-age = 年龄
predicate-height = 身高
predicate-length = 长度
predicate-weight = 重量
predicate-price = 价钱
predicate-occupation = 职业
predicate-trait = 特点
predicate-member-of = 隶属
predicate-has-member = 成员是
predicate-married-to = 婚配
predicate-sibling-of = 手足
predicate-friend-of = 朋友
predicate-enemy-of = 仇敌
predicate-family-of = 亲属
predicate-lover-of = 恋人
predicate-ally-of = 盟友
predicate-rival-of = 对手
predicate-acquainted-with = 相识
predicate-mentor-of = 教导
predicate-employer-of = 雇用
predicate-parent-of = 子女是
predicate-child-of = 父母是
predicate-kills = 杀死
predicate-killed-by = 凶手是
predicate-visited = 到过
predicate-takes-part = 参与
predicate-eye-colour = 瞳色
predicate-hair-colour = 发色
predicate-blood-type = 血型
predicate-student-of = 师从
predicate-employee-of = 受雇于
predicate-betrays = 背叛
predicate-betrayed-by = 被背叛
predicate-destroyed = 毁坏
predicate-destroys = 毁掉
predicate-repaired = 修复
predicate-repairs = 修好
predicate-amount = 数量
predicate-gains = 增加
predicate-spends = 花掉
predicate-forgets = 忘记
predicate-mentions = 提到
predicate-acts-on = 据以行动
predicate-believes = 相信
predicate-denies = 否认
predicate-revives = 复活
predicate-species = 种族
predicate-birth-mother = 生母
predicate-birth-father = 生父
predicate-handedness = 惯用手
predicate-width = 宽度
predicate-depth = 深度
predicate-capacity = 容量
predicate-population = 人口
predicate-distance = 距离
predicate-duration = 历时
predicate-rank = 等级
predicate-siblings = 兄弟姐妹数
predicate-children = 子女数
predicate-falls-to = 跌落至
predicate-is-sealed = 被封印
predicate-leaps-to = 连破至
predicate-defeats = 击败
predicate-weakened = 受伤
predicate-wins-by = 凭借
predicate-leaves = 离开
predicate-participated-in = 参与
predicate-happened-at = 发生在
predicate-told-in = 写于
mode-narrated = 叙述
mode-flashback = 回忆
mode-dreamt = 梦境
mode-said = 转述
mode-believed = 以为
mode-planned = 计划
plot-kind-setup = 铺垫
plot-kind-conflict = 冲突
plot-kind-turn = 转折
plot-kind-climax = 高潮
plot-kind-resolution = 收束
view-first = 第一人称
view-third-limited = 第三人称限知
view-third-omniscient = 第三人称全知
language-zh = 中文
language-en = 英文
status-running = 进行中
status-waiting = 等您决定
status-done = 完成
status-failed = 失败
status-interrupted = 已停下
layer-default = 内置
layer-user = 您的设置文件
layer-project = 项目设置文件
layer-environment = 环境变量
layer-flag = 本次命令
piece-outline-node = 大纲
piece-character = 人物
piece-relation = 关系
piece-event = 事件
piece-plot-node = 情节
piece-worldview = 世界观
piece-style = 文风
piece-location = 地点
piece-organisation = 势力
piece-item = 物品
piece-world-rule = 世界规则
piece-ladder = 阶梯
review-reason-max-iterations = 修正轮数已用完，审校仍未通过。
review-reason-stalled = 上一轮修正几乎没有改善，继续只会白花钱。
review-reason-low-score = 评分过低，靠修正难以补救。
review-reason-unmet-wish = 有要求没有落实，智能体无法补上。
review-reason-strategy = 审校要求由人来判断。
review-reason-unknown-agent = 报告所要求的工作没有智能体能做。

## 运行开始

run-started = 需求
run-resumed = 继续
run-answered-by = 答复人
model-label = 模型
offline-badge = 【离线助手】
offline-what = 不是语言模型：凭规则、结构和您自己的话作答，未知之处留〔待写〕，不写正文，不花钱。
why-configured = 设置于{ $layer }
why-key-set = 已设置 { $variable }
why-key-kept = 已保存 { $provider } 的密钥
why-local-server = 本机服务 { $url } 可用
why-nothing-else = 未找到密钥，也没有本机模型服务；要用语言模型，请看 qingyu models

## 计划

plan-title = 执行计划
plan-fallback = 这是默认计划：{ $reason }
plan-adjusted = 计划有调整：{ $reason }
plan-kind = 类型
plan-complexity = 复杂度
plan-capabilities = 需要
plan-step = 步骤
plan-agent = 智能体
plan-task = 任务
plan-depends = 依赖
plan-parallel = 并行
plan-tokens = 预计用量
plan-total = 规划时粗估 { $tokens } token；关键路径 { $path }
plan-estimate = 从这一步起预计（不计修正）

## 进行中

agent-started = { $agent }（{ $mode }）：
agent-tokens = { $tokens } token
call-reused = { $model } 的回答取自上次运行的记录，没有再次付费
call-repaired = { $model } 的回答格式有误（JSON，或不该有的字段），已修复，内容没有增加
call-substituted = { $wanted } 没有回答，改由 { $model } 回答：{ $error }
call-attempts = { $model } 第 { $attempts } 次回答才符合格式

## 报告与修正

report-title = 诊断报告
report-title-numbered = 诊断报告（第 { $number } 次审校）
report-earlier = 这份报告之后又改动了 { $count } 处，它说的是改动之前的内容。
report-passed = 通过
report-passed-held = 通过，另有待您决定的
report-not-passed = 未通过
report-wishes = 要求
report-wishes-none = 没有可逐条核对的具体要求，请您读过再定
wish-state-met = 已落实
wish-state-unmet = 未落实
wish-state-not-checkable = 要人来看
report-strategy = 处理
report-approved = 未通过，已由您认可
basis-nothing = 没有可以检查的内容，因此没有评分。
basis-checked = 依据：{ $run } 条规则中有 { $looked } 条查过；{ $judge }
basis-blind = { $count } 条规则无从检查：{ $missing }
basis-blind-kind = 没有{ $kind }（{ $count } 条）
basis-off = 设置里关闭了 { $count } 条规则
basis-step-failed = 第 { $step } 步（{ $agent }）没有完成：{ $reason }
basis-earlier-model = 标着“模型”的问题是模型读那一章时提出的，这次没有再问模型。
judge-rules = 只由规则评审
judge-model = 模型也评审过
reading-chapters = 共 { $total } 章，模型读过当前文本的有 { $read } 章
reading-unread = 还没有读过：{ $chapters }
reading-rules-only = 只有规则读过：{ $chapters }
reading-changed = 模型读过之后又改过：{ $chapters }
chapters-unread = 当前文本还没有模型读过：{ $chapters }
edit-unread = 还没有模型读过这份文本，规则查不出语义上的矛盾。让模型通读：qingyu read { $project }
reading-none = 每一章的当前文本模型都读过。
reading-how = 让模型读一遍：qingyu read { $project }
report-no-issues = 没有发现问题。
report-issues = { $total } 个问题（{ $severities }；来源：{ $sources }）
report-fix = 修正 → { $agent }·{ $action }：
report-cause = 原因
report-impact = 影响
report-affected = 涉及
evidence-text = 《{ $title }》第 { $paragraph } 段
report-more-evidence = 另有 { $count } 处：qingyu show 项目 report
report-reasoning = 审校依据
report-suggestions = 改进建议
correction-title = 第 { $round } 轮修正
correction-mode = 方式
correction-agents = 顺序

## 结束

ending-done = 完成。
ending-waiting = 等您决定。
ending-interrupted = 已停下，完成的部分都已保存。
ending-failed = 失败了，完成的部分都已保存。
ending-project = 项目
ending-run = 运行
ending-rounds = 修正轮数
ending-time = 用时
ending-kept = 保存在
made-count = { $count } — { $names }
made-outline = 大纲
made-characters = 人物
made-relations = 关系
made-timeline = 事件
made-plot = 情节
made-world = 地点
usage-tokens = 输入 { $input }，输出 { $output }
usage-tokens-cached = 输入 { $input }（缓存 { $cached }），输出 { $output }
usage-tokens-label = 用量
usage-calls = { $calls } 次调用
usage-cost-label = 费用
usage-by-agent-label = 各智能体
cost-unknown = 未知：价目表里没有这个模型
cost-free = 免费
decision-title = 需要您决定
next-title = 接下来
next-show = 查看项目
next-outline = 以树形查看大纲
next-extend = 续写这个故事
next-findings = 还有 { $count } 处严重问题没有解决：{ $names }
next-check-findings = 查看规则发现的问题和改法
next-fix-findings = 自动修正其中改法确定的
next-mend = 说明怎样改，让智能体修正其余的
next-write-mended = 问题处理完后写各章
next-direction = 选定一个方向；“1 冲突=2”可以混搭
next-no-direction = 直接按您的原话规划
next-other-directions = 说说想要什么样的，另出一批
next-approve = 照此通过
next-reject = 退回，并说明意见
next-edit = 换成您自己改过的材料
next-resume = 从停下的地方继续；付过费的不会再付

## 请人决定

ask-approve = 照此通过
ask-reject = 退回，并说明意见
ask-edit = 在编辑器里修改材料
ask-later = 以后再说
ask-prompt = a / r / e / q >
ask-direction = 选哪个方向？
ask-direction-how = 输入编号选定；“1 冲突=2 书名=3”可以混搭，后面还能补充几句。s 直接按您的原话规划；写别的，就按您说的另出一批；空行留待以后再选。
ask-direction-again = 没有这个编号的方向。
directions-title = 这本书可以往这些方向写
ask-feedback = 哪里不对？希望怎样？ >
ask-unchanged = 没有改动。
ask-again = 请输入 a、r、e 或 q。

## 视图

outline-title = 大纲（{ $count } 个节点）
outline-words = { $count } 字
outline-chapters = 计划 { $count } 章
outline-function = 用处
outline-hook = 悬念
outline-opening = 章首
outline-pressure = 压力
outline-pulls = 拉住
outline-tension = 张力
outline-opposition = 对手
outline-price = 代价
outline-payoff = 兑现
outline-goal = 目标
outline-participants = 人物
outline-location = 地点
outline-plants = 伏笔
outline-pays = 回收
characters-title = 人物（{ $count }）
character-age = { $age } 岁
character-birth = 生于
character-death = 卒于
character-alias = 又名
character-traits = 特点
character-appearance = 外貌
character-personality = 性格
character-background = 经历
character-goals = 目标
character-conflicts = 阻碍
character-weakness = 弱点
character-arc = 弧光
character-secret = 秘密
character-secret-until = 此前不能揭开
character-voice = 口吻
relations-title = 人物关系（{ $count }）
relation-kinds = 自定的关系
relation-kind-symmetric = { $name }（相互）
relation-kind-inverse = { $name }（反过来是{ $inverse }）
relations-reading = 按行读：这一行的人是各列之人的……
relation-since = 自
relation-until = 至
timeline-title = 时间线（{ $count } 个事件）
event-mode = （{ $mode }）
event-deaths = 死者
event-open-time = 《{ $document }》写的时间（{ $told }）与计划（{ $planned }）不同，待您决定，办法见 `qingyu check`（QY316）
event-open-place = 《{ $document }》写的地点（{ $told }）与计划（{ $planned }）不同，待您决定，办法见 `qingyu check`（QY316）
event-open-participants = 计划中有{ $told }，《{ $document }》里没有，待您决定，办法见 `qingyu check`（QY316）
event-open-deaths = 计划中{ $told }死去，《{ $document }》里没有死，待您决定，办法见 `qingyu check`（QY316）
event-after = 晚于
event-told = 见于
event-told-as-planned = 经过照计划所写，正文不一定都这样写；见于
event-planned = 计划于
plot-title = 情节（{ $count } 个节点）
plot-node-outline = 所在
plot-node-causes = 起因
plot-node-events = 事件
world-title = 世界观
world-genre = 题材
world-era = 时代
world-truth = 真相
world-truth-until = 此前不能揭开
world-rules = 规则
world-locations = 地点
world-organisations = 势力
world-items = 物品
ladders-title = 阶梯
ladder-of-numbers = 按数目计
ladder-condition = 条件
ladder-cost = 代价
ladder-lifetime = 寿数
ladder-may-skip = 可以跳级
ladder-upset-limit = 低 { $count } 步的人取胜，必须写明凭什么
panel-rows-ladder = 境界与等级
panel-rows-attribute = 属性
panel-rows-resource = 资源
panel-rows-skill = 技能
panels-none = 还没有人物的数值。数值读自各章正文（qingyu edit、write、reconcile 时整理入库）和手填的事实。
card-told = 按正文
item-holder = 开头时的持有者
item-holder-now = 现在的持有者
item-holder-past = 以前的持有者
style-title = 文风指南
style-view = 视角
style-tense = 时态
style-tone = 基调
style-rhythm = 节奏
style-dialogue = 对白
style-guidelines = 要
style-taboos = 忌
reasoning-title = 最近一次运行的推理
provenance-title = 各条目的来历
provenance-prompt = 提示词 { $prompt }
overview-language = 语言
overview-updated = 最近修改
overview-runs = 运行
overview-genre = 要求的类型
overview-audience = 要求的读者
overview-chapters = 要求的章数
overview-views = 视图：outline、characters、relations、timeline、world、plot、style、report、reasoning、provenance。例如：

## 列表

column-run = 运行
column-title = 标题
column-status = 状态
column-unread = 未通读
column-score = 评分
column-tokens = 用量
column-started = 开始
column-project = 项目
column-language = 语言
column-premise = 缘起
column-updated = 修改
column-code = 代码
column-severity = 程度
column-rule = 检查内容
runs-none-such = 没有这样的运行。
runs-more = 还有更多：加上 --after { $run }
runs-none = 还没有运行。可以从这里开始：qingyu create "灯塔看守人收到自己三十年前寄出的信"
guide-title = 从接上模型到写出第一章
guide-step-model = 接上能写作的模型
guide-step-direction = 定下这本书的方向
guide-step-material = 备好素材：世界、大纲、人物、情节
guide-step-chapter = 写出第一章
guide-model = 当前模型：{ $model }
guide-offline = 当前是离线模型：它按规则规划，不写正文。用来熟悉流程足够，写章节需要接上模型。
guide-book = 作品：《{ $title }》（{ $project }）
guide-done = 第一章已经写好。用 qingyu write 接着写下一章。
guide-example = 一个灯塔看守人收到自己三十年前寄出的信
guide-next-key = 保存服务商的密钥；qingyu models 列出全部服务商
guide-next-offline = 也可以跳过，先用离线模型规划
guide-next-direction = 换成您自己的一句话，先看三个方向
guide-next-resume = 从停下或等您决定的地方继续
guide-next-material = 生成素材
guide-next-chapter = 写第一章
projects-none-archived = 归档里没有作品。
projects-none-binned = 回收站是空的。
project-renamed = { $project } 已改名为《{ $title }》
project-archived = 《{ $title }》（{ $project }）已归档；取回：qingyu project restore { $project }
project-binned = 《{ $title }》（{ $project }）已移入回收站；取回：qingyu project restore { $project }
project-restored = 《{ $title }》（{ $project }）已放回书架
project-deleted = 《{ $title }》（{ $project }）已永久删除
cover-is = 封面图片：{ $kind }，{ $kilobytes } kB
cover-none = 没有封面图片，读者看到的是书名。
card-picture-is = { $name } 的图片：{ $kind }，{ $kilobytes } kB
card-picture-none = { $name } 还没有图片。
card-picture-undescribed = 还没有文字说明；看不见图片的读者需要它，请用 --alt 补上。
pictures-none = 还没有卡片配图。添加：qingyu picture <项目> <名字> <图片>
projects-none = 还没有项目。可以从这里开始：qingyu create "灯塔看守人收到自己三十年前寄出的信"
model-models = 模型
model-address = 地址
model-roles = 负责
model-ready = 可用
model-answers = 可用
model-silent = 本机没有响应
model-no-key = 用 `qingyu models key { $provider }` 保存密钥，或设置 { $variable }
model-has-kept-key = 密钥已保存
model-retires = { $model } 将于 { $day } 下线：请换用其他模型，或用 usual 这类偏好，它会自动换到新模型
model-listed = 这个密钥可用 { $count } 个模型
model-no-keys = 还没有任何服务商的密钥。请先运行：qingyu models key 服务商
model-key-ask = 请输入 { $provider } 的密钥（不会显示）：
model-key-kept = { $provider } 的密钥已保存在数据文件夹，只有您能读，立即生效。试一试：qingyu models try { $provider }/usual
model-key-environment = { $provider } 的密钥取自环境变量，优先于保存的密钥。
model-key-gone = 已删除 { $provider } 的密钥。
model-works = { $model } 可以使用
model-works-not = 按目前的设置，{ $model } 不能使用
trial-text = 文字
trial-json = JSON
trial-took = （{ $seconds } 秒，{ $tokens } token）
model-has-key = 已设置 { $variable }
models-how = 用 --model 服务商/模型、QINGYU_MODEL 或设置文件里的 models.default 来选择。
settings-file = 设置文件
settings-unset = 尚未设置
setting-form-switch = true 或 false
setting-form-whole-number = 整数
setting-form-number = 数
setting-form-text = 文字
setting-form-texts = 文字列表
setting-choices = 列表，取自 { $choices }
setting-form-whole-numbers = 整数列表
setting-form-table = 表
setting-most = 不超过 { $most }
report-written = 已写入 { $path }（{ $size }）。
report-read = 其中没有密钥、文字、书名和路径。发出之前请先看一遍。
rule-fires = 会报告：
rule-spares = 不会报告：
rule-story = 例子里的故事数据：加 --json。
rule-off = 关闭
rules-how = qingyu rules 代码 可看详细说明。
genres-how = qingyu genres 题材 可看详细内容；加 --file 打印文件，存为数据目录里的 genres/名称.toml 后可自行修改。一本书属于哪些题材，由世界观的“题材”写明。
genre-own = 自定义
genre-names = 别名
genre-lengths = 常见篇幅
genre-lengths-are = { $chapters } 章，每章 { $words } 字
genre-payoff = 回报间隔
genre-payoff-is = { $count } 章以内
genre-hooks = 钩子
genre-payoffs = 回报
genre-avoid = 忌
genre-tension = 张弛
genre-sequence = 连着几章
genre-sequence-is = 用处相同到 { $function } 章、结尾同类到 { $ending } 章、张力不变到 { $tension } 章就提醒；{ $pulls }
genre-endings-pull = 每章结尾都要留钩子
genre-endings-may-rest = 结尾可以收住
genre-tired = 用滥的说法
genre-ladder = 境界与数值
genre-audit = 写完自问
column-id = 编号
column-genre = 题材
column-promise = 给读者的承诺
graph-about-pipeline = 从一句话到故事：规划、各智能体、审校、修正、请人决定
graphs-how = qingyu graph 名称 画出其中一个。
graph-written = 图已写入 { $path }。
graph-line-edge = 总是
graph-line-join = 全部完成之后
graph-line-route = 由规则选择
graph-line-command = 由节点选择
graph-line-error = 出错之后
graph-line-deferred = 最后运行
check-data-folder = 数据目录
check-free-space = 剩余空间
check-sqlite-version = SQLite
check-database = 数据库
check-integrity = 完整性
check-keys = 密钥
check-local-servers = 本机模型服务
check-model = 模型
check-embedder = 向量模型
check-engine = 团队服务器
check-engine-copy = 服务器上的副本
check-backups = 定时备份
check-clock = 时钟
check-settings = 设置
check-prompts = 提示词
found-data-folder = { $path }
found-free-space = { $bytes }
found-sqlite-version = { $version }
found-database = { $path }（{ $bytes }）
found-integrity = 没有发现损坏
found-keys = 已设置：{ $variables }
found-local-servers = 有响应：{ $servers }
found-model = { $model }{ $tried ->
    [answered] （有响应）
    [no] （未测试）
   *[other] {""}
}
found-embedder = { $embedder }{ $tried ->
    [no] （未测试）
   *[other] （{ $dimensions } 维）
}{ $embedder ->
    [lexical-hash-1024] ，只认字。要按意思检索：ollama pull bge-m3（MIT 许可），并设 embeddings.embedder = "ollama/bge-m3"
   *[other] {""}
}
found-engine = { $part ->
    [keywords] 关键词检索
    [vectors] 向量检索
    [graph] 图谱
    [long_term] 长期记忆
   *[short_term] 会话记忆
}：{ $server }{ $tried ->
    [no] （未测试）
    [failed] （不能用：{ $reason }）
   *[other] （有应答）
}
found-engine-copy = { $part ->
    [keywords] 关键词检索
    [vectors] 向量检索
   *[graph] 图谱
}：{ $projects } 个项目在 { $server } 上的副本还不是最新的；嵌入模型为 { $embedder }
found-backups = { $schedule ->
    [yes] 每 { $every } 一次，在 { $path } 保留最新 { $keep } 份；{ $count ->
        [0] 还没有备份
       *[other] 现有 { $count } 份，最新一份：{ $newest }
    }；下一次：{ $next }
    [server] 不在这里备份：数据在 PostgreSQL 里，请用它自带的工具（如 pg_dump）备份
   *[no] 未设置；可设置 backups.every，例如 "1d"
}
found-clock = { $now }
found-settings = { $path }{ $exists ->
    [true] {""}
   *[other] （尚无此文件，使用内置设置）
}
found-prompts = { $path }{ $exists ->
    [true] {""}
   *[other] （尚无此目录，使用内置提示词）
}
advice-data-folder = 请把目录设为可写，或用 --home 或 QINGYU_HOME 指定别处
advice-free-space = 腾出一些空间，或用 --home 指定别处
advice-sqlite-version = 请安装新版 qingyu
advice-database = 从备份恢复该文件，或把它移走重新开始
advice-integrity = 先从备份恢复数据库再继续
advice-keys = 用 `qingyu models key 服务商` 保存密钥；`qingyu models` 会列出服务商
untried-free-space = 此系统上不查剩余空间
untried-keys = 服务接受过的密钥才算可用
untried-model = 不带 --local 的 qingyu doctor 会实际调用它
advice-local-servers = 想用本机模型，请启动 Ollama、llama.cpp、LM Studio 或 vLLM
advice-model = 在有密钥或本机服务之前，使用离线助手
advice-embedder = 修改设置 embeddings.embedder；lexical 无需任何配置
advice-engine = 启动服务器，或改正设置里的 engines；在此之前由内置的部分代替
advice-engine-copy = `qingyu serve` 会在后台填充，`qingyu index 项目` 立即填充；在此之前由内置的部分代替
untried-engine = 不带 --local 的 qingyu doctor 会实际连接它
advice-backups = { $trouble ->
    [failed] 上次备份失败：{ $reason }；服务器运行期间每十分钟重试一次
    [none] 还没有做过定时备份，请让 qingyu serve 或工作室保持运行
    [server] backups.every 对 PostgreSQL 不起作用，请删去，改为定时运行 pg_dump
   *[overdue] 请让 qingyu serve 或工作室保持运行，或用 qingyu backup make 文件 备份一次
}
advice-clock = 请校准本机时钟
advice-settings = 修改设置文件；qingyu config path 显示它的位置
advice-prompts = 修改或移走您自己的提示词文件

## 失败

error-requirement-empty = 没有给出需求
hint-requirement-empty = 用一句话说要写什么：qingyu create "世代飞船上的密室谜案"
error-requirement-too-long = 需求长达 { $bytes }，最多 { $limit } 字节
hint-requirement-too-long = 请只写要点，长材料请放进项目；新故事可以给 1 MB 以内的 Markdown 大纲，人物和章节写成表格或列表
error-requirement-control = 需求的第 { $position } 个字符是控制字符（编码 { $code_point }）
hint-requirement-control = 请给纯文本；这看起来是二进制数据
error-unknown-project = 没有项目 { $given }
hint-unknown-project = qingyu projects 列出全部项目
error-unknown-run = 没有运行 { $given }
hint-unknown-run = qingyu runs 列出全部运行
error-ambiguous = { $given } 对应多个：{ $matches }
hint-ambiguous = 请多写几位
error-nothing-to-resume = 运行 { $run } 已经完成，没有可继续的
hint-nothing-to-resume = 要续写它的故事：qingyu create --project { $project } "……"
error-not-waiting = 运行 { $run } 并没有在等答复
hint-not-waiting = 不带答复即可继续：qingyu resume { $run }
error-question-changed = 运行 { $run } 现在问的已经是别的问题，这次的答复没有采用
hint-question-changed = 先看看它在问什么：qingyu resume { $run }
error-bad-material = 材料的 { $path } 处格式有误：{ $message }
hint-bad-material = 请在 qingyu show { $project } --json 的输出上修改
error-thread-busy = 另一个进程正在处理运行 { $run }
hint-thread-busy = 等它结束；进程若已崩溃，十秒内会释放
error-bad-settings = 设置有误：{ $key } { $message }（{ $origin }）
hint-bad-settings = qingyu config path 显示设置文件的位置
hint-bad-settings-flag = 用 --set 换一个值，或去掉它
hint-bad-settings-environment = 给这个环境变量换一个值，或取消它
origin-flag = 由本次命令指定
origin-run = 开始运行 { $run } 时指定
error-unknown-model = 没有模型 { $model }
hint-unknown-model = 请写成 服务商/模型；服务商有：{ $providers }
error-no-key = { $model } 需要密钥
hint-no-key = 用 `qingyu models key { $provider }` 保存密钥，或设置 { $variable }，或用 --model 换一个模型；--model offline-rules-1 不需要密钥
error-budget = 预算已用完：{ $message }
hint-budget = 在设置里提高预算，再继续运行
error-budget-figures = 预算 { $setting } 不够下一次调用：已花 { $spent } / { $limit } { $unit }，进行中的调用预留 { $set_aside }，下一次调用约需 { $asked }
placeholder-project = 项目
placeholder-run = 运行
hint-budget-figures = 已付费的内容都已保存；用 `qingyu resume { $run } --set { $setting }={ $suggested }` 继续
error-no-cassette = 运行 { $run } 没有录制，或录制太旧已被清除
hint-no-cassette = 设置里 cassettes.record 为 true 时才会录制
error-bad-cassette = 无法回放 { $path }：{ $message }
error-bad-model-file = 无法使用模型文件 { $path }：{ $message }
hint-bad-model-file = 请指定一个存在的 GGUF 文件，例如 --model file:/models/writer.gguf
error-no-model-server = 没有安装 { $program }，或它不在 PATH 里
hint-no-model-server = 它随 llama.cpp 一起安装（brew install llama.cpp、winget install llama.cpp，或系统自带的软件包）；Ollama、LM Studio、vLLM 无需指定文件，会自动找到
error-not-recorded = 录制里没有 { $purpose }：{ $difference }
hint-not-recorded = 用 `--model` 指定一个模型来回答没有录制的调用
error-provider-refused = { $model } 不接受密钥（{ $status }）：{ $message }
hint-provider-refused = 检查密钥及其权限
error-model-not-served = { $provider } 没有模型 { $model }，或这个密钥不能用{ $listed ->
    [no] {""}；它没有列出可用的模型
   *[yes] ；可用的有：{ $models }
}
error-provider-address = { $address } 上没有模型服务{ $status ->
    [none] {""}
   *[other] （{ $status }）
}：{ $message }
hint-provider-address = 检查设置里该服务商的 base_url，多数以 /v1 结尾；`qingyu models try` 显示该地址的响应
error-content-refused = { $model } 的内容审查拒绝了请求{ $says ->
    [no] {""}
   *[yes] ：{ $message }
}
hint-content-refused = 修改可能涉及的段落，或换一个模型
error-empty-answer = { $model } 两次都没有给出回答{ $thought ->
    [yes] ，只有思考
   *[no] {""}
}
hint-empty-answer = 如果设置了 limits.answer_tokens，请调大；或换一个模型、指定备用模型
error-answer-cut = 回答在 { $characters } 个字符后中断
hint-answer-cut = 检查网络以及中间的代理，然后继续运行
hint-model-not-served = 在设置里或用 --model 换成它有的模型
error-no-credit = { $model } 的账户余额或额度已用完：{ $message }
hint-no-credit = 到服务商处充值，或换用别的模型，再继续运行
error-provider-busy = { $model } 正忙：{ $message }
hint-provider-busy = 稍等，再继续运行
error-provider = { $model } 出错：{ $message }
hint-provider = 过一会儿再继续运行，或换一个模型
error-prompt-too-long = 提示词超出了 { $model } 的上下文：{ $message }
hint-prompt-too-long = 换一个上下文更长的模型，或加 --no-workspace-context 少给材料；本机服务可调大上下文
error-provider-unreachable = 连不上 { $model }：{ $message }
hint-provider-unreachable = 检查网络和地址，再继续运行
error-bad-output = 模型对 { $purpose } 的回答试了 { $attempts } 次仍不符合格式：{ $problems }
hint-bad-output = 可换用更强的模型：--model
error-unsupported = { $model } 做不了 { $purpose }：{ $hint }
hint-unsupported = 请选用语言模型；见 qingyu models
error-disk-full = { $path } 所在的磁盘已满
hint-disk-full = 腾出一些空间，再继续运行
error-read-only = { $path } 无法写入：{ $message }
hint-read-only = 让它可写，或用 --home 指定别处
error-corrupt = { $path } 已损坏：{ $message }
hint-corrupt = 从备份恢复，或把它移走重新开始
error-request-at-work = 该请求已在处理中
hint-request-at-work = 稍后重试即可得到结果
error-request-interrupted = 该请求已全部或部分完成，但服务器随后崩溃；结果在 { $project } 中
hint-request-interrupted = 用 `qingyu log { $project }` 查看已有内容；缺少的部分请换一个幂等键重新请求
error-overloaded = 服务器上已有 { $most } 个任务在运行，达到上限
hint-overloaded = { $retry_after } 秒后再试，或调高上限：server.runs
error-stopping = 服务器正要停止
hint-stopping = { $retry_after } 秒后再试
error-database-busy = 数据库 { $path } 正忙：另一个进程写入太久
hint-database-busy = 过一会儿再试
error-newer-data = { $path } 由更高的版本写入
hint-newer-data = 请改用那个版本
error-storage = 数据库 { $path } 出错：{ $message }
hint-storage = qingyu doctor 可查原因
error-run-stalled = 运行 { $run } 连续 { $times } 次崩溃，没有任何进展
hint-run-stalled = 已完成的部分都已保存；重试：qingyu resume { $run }
error-graph-changed = 运行 { $run } 由另一个版本开始，无法用这个版本继续：{ $message }
hint-graph-changed = 材料都已保存；继续：qingyu create --project { $project } "……"
error-pipeline = { $node } 失败：{ $message }
hint-pipeline = 可以继续运行，完成的部分都已保存
error-parts-failed = { $total } 项中有 { $failed } 项失败：{ $message }
hint-parts-failed = 已完成的部分都已保存；用 `qingyu resume { $run }` 重试失败的部分
error-internal = 这是程序缺陷：{ $message }
hint-internal = 请附上 -vv 的日志反馈
error-unreadable = 无法读取 { $path }：{ $message }
error-not-text = { $path } 用各种编码都读不成文本
hint-not-text = 请另存为 UTF-8
error-no-manuscripts = { $path } 里没有书稿
hint-no-manuscripts = 书稿的后缀是 .txt、.md、.docx、.odt、.rtf、.epub 或 .html；项目的文件夹里有 .scrivx 或 nwProject.nwx
error-nothing-to-judge = --judge 只能用于项目中的一章，{ $subject } 不是
hint-nothing-to-judge = 请指明哪一章；文件请先用 qingyu import 导入成项目
error-bad-setting = { $given } 不是 键=值
hint-bad-setting = 例如 --set pipeline.max_iterations=2
error-bad-autonomy = { $given } 不是 阶段=auto 或 阶段=wait
hint-bad-autonomy = 例如 --autonomy research=auto,all=wait
error-not-json = 给 { $path } 的值不是 JSON：{ $message }
hint-not-json = 要求和现在的值：qingyu produce read { $project } { $path } --json
error-unknown-genre = 没有题材 { $given }
hint-unknown-genre = qingyu genres 列出全部题材
error-unknown-rule = 没有规则 { $given }
hint-unknown-rule = qingyu rules 列出全部规则
hint-unknown-rule-known = 现有：{ $known }；各查什么，见 qingyu rules
error-unknown-agent = 没有叫 { $given } 的智能体
hint-unknown-agent = 现有：{ $known }
error-unknown-graph = 没有图 { $given }
hint-unknown-graph = 现有：{ $known }
error-unwritable = 无法写入 { $path }：{ $message }
error-editor = 编辑器 { $editor } 出错：{ $message }
hint-editor = 请设置 EDITOR
error-no-server-key = 其他机器可以访问 { $address }，但还没有任何密钥。
error-no-tls = 其他机器可以访问 { $address }，密钥会以明文传送。
error-bad-webhooks = 设置 server.webhooks 无法使用：{ $message }
error-bad-traces = 无法发送追踪数据：{ $message }
error-bad-address = 无法在 { $address } 监听：{ $message }
hint-no-server-key = 先生成一把：qingyu keys make
hint-no-tls = 在前面放一个终止 TLS 的代理（见 docs/deploy.md），并设置 server.behind_tls = true。
hint-bad-address = 换一个端口：--port N；--port 0 自动选择空闲端口。
serve-ready = 青羽正在 { $url } 提供服务
serve-not-opened = 没能打开浏览器，请自己访问上面的地址。
serve-stop = 按 Ctrl-C 停止；再次启动后，未完成的运行会继续。
serve-stopping = 正在下一个检查点停下；再按一次 Ctrl-C 立即结束。
error-signals = 系统不允许接收 Ctrl-C：{ $message }
error-output = 标准输出无法写入：{ $message }
hint-usage = 用 --help 查看说明

## 参数有误

usage-invalid-value = { $argument } 不能取“{ $value }”（可取：{ $valid }）
usage-value-validation = { $argument } 不能取“{ $value }”
usage-unknown-argument = 没有参数 { $argument }
usage-invalid-subcommand = 没有命令 { $command }
usage-argument-conflict = { $argument } 与 { $other } 不能同时使用
usage-missing-required-argument = 缺少：{ $argument }
usage-missing-subcommand = 缺少命令
usage-too-few-values = { $argument } 需要一个值
usage-too-many-values = { $argument } 不接受“{ $value }”
usage-invalid-utf8 = 有参数不是 UTF-8
usage-did-you-mean = 您是不是想用 { $near }？
error-unknown-finding = 没有编号或规则为 { $given } 的问题
hint-unknown-finding = 编号见 qingyu check { $project }
hint-unknown-finding-known = 现有：{ $known }；内容见 qingyu check { $project }
error-no-reason = 放过 { $finding } 需要写明理由
hint-no-reason = --reason "为什么可以放过"
error-unknown-comment = 没有编号为 { $given } 的批注
hint-unknown-comment = 编号见 qingyu comments list { $project } --all
error-unknown-member = 这个项目没有成员 { $given }
hint-unknown-member = 成员列表：qingyu members list { $project }
error-bad-comment = { $reason ->
    [empty] 批注没有内容
    [too_long] 批注超过了一万字
    [no_words] 没有写要批注哪些字
    [quote_too_long] 引用的字超过了两千
    [closed] 这条批注已经解决
    [no_suggestion] 这条批注没有建议改成什么
    [missing] 这一章里没有“{ $quote }”
   *[ambiguous] “{ $quote }”在这一章里出现了 { $count } 次
}
hint-bad-comment = { $reason ->
    [ambiguous] 多引几个字，或用 --before、--after 写明前后的文字
    [missing] 引文须与正文一字不差
   *[other] qingyu comments add { $project } 章 "要批注的字" "批注"
}
error-unknown-piece = 故事里没有名为 { $given } 的条目，或不止一个
hint-unknown-piece = 请给编号：qingyu show { $project } provenance 可以列出
error-unclear = { $part ->
    [about] 故事里没有叫“{ $given }”的
    [predicate] 故事里没有以“{ $given }”为谓词的事实
    [as_of] “{ $given }”不是故事里的事件、时间、章节或文本
   *[other] 问题里有故事不认识的词：{ $message }
}
hint-unclear = { $part ->
    [as_of] 章节写作 chapter:2、第2章、第二章或标题；事件写标题或编号；时间照故事里的写法
    [predicate] 谓词如 location、持有；qingyu ask-facts { $project } 可以看到故事里有的
   *[other] qingyu ask-facts { $project } 可以看到故事说了什么
}
error-unknown-change = { $project } 没有第 { $change } 次改动，最新的是第 { $newest } 次
hint-unknown-change = qingyu log { $project } 列出全部改动
error-changed-since = 第 { $change } 次改动无法撤销：第 { $by } 次改动后来又动过 { $piece }
hint-changed-since = 请先撤销那一次：qingyu undo { $project } { $by }
error-conflict = { $project } 期间被改动过
hint-conflict = 请先查看，再重试
error-fix-of-file = 不会就地修改文件：{ $path }
hint-fix-of-file = 请先导入为项目：qingyu import-story { $path }
finding-id = 编号
finding-disputed = 由您决定：放过（`qingyu waive`），或在正文里改掉。写作者认为这一处不成立：{ $why }
finding-plan-follows = 让计划跟上正文：`qingyu check { $project } --fix --rule { $finding }`
finding-waived = { $owner } 决定放过：{ $reason }
finding-waived-until = 写到{ $chapter }为止
check-clean = 规则没有发现问题。
check-found = 共 { $total } 处：{ $severities }
check-fix-how = 其中 { $count } 处可以自动修正：--fix
check-fix-file = 其中 { $count } 处在项目里可以自动修正：qingyu import-story 文件
mended-nothing = 没有可以自动修正的地方。
mended = 修正了 { $count } 处，记为第 { $change } 次改动。
mended-removed = 已从故事数据中去掉：{ $piece }
mended-changed = 已改：{ $change }
left-refused = 修正办法不适用
left-harmful = 修正会带来更严重的问题
left-gone = 已随别的修正消失
left-no-effect = 修正后问题仍在
left-untried = 未尝试：前面有太多修正会带来更严重的问题
waived = 已放过 { $finding }，还有 { $open } 处未处理。
facts-none = 故事里没有提到。
facts-over = 现在没有。以前：
fact-told = 第 { $chapter } 章正文
fact-planned = 只是计划，正文还没有这样写
fact-planned-time = 时间只据计划：那件事正文还没有写到
fact-over = 已经不再如此
fact-over-since = 到{ $time }为止
fact-uncertain = 不确定：不知从何时起
fact-known = 知情者
impact-none = 没有其他内容依赖它。
impact-steps = 相隔 { $steps } 步
impact-total = 共 { $count } 处。
because-refers-to = 引用了
because-mentions = 提到了
because-says = 写明了
because-tells = 讲述了
because-says-the-same = 对同一件事另有说法：
imported = 《{ $title }》已成为项目 { $project }
unknown-fields = 以下字段无法识别，已略去：{ $fields }
log-none = 还没有任何改动。
log-undoes = 撤销第 { $change } 次改动
log-more = 另有 { $count } 个
log-unnamed = { $kind } { $count } 条
made-by-tool = 工具 { $tool }
made-by-import = 导入
made-by-replay = 重放
made-by-undo = 撤销
made-by-edit = 改稿
made-by-comment = 批注
made-by-chapters = 调整章节
made-by-check-fix = 检查并修正
made-by-waive = 放过问题
made-by-reconcile = 重建故事数据
made-by-restore = 恢复旧版
made-by-outline = 改大纲
made-by-ladders = 改等级
made-by-merge = 合并
made-by-fields = 内容制作
mode-lied = 谎言
mode-retconned = 已作废
mode-disguised = 伪装
piece-document = 正文
piece-fact = 事实
piece-promise = 伏笔
piece-waiver = 放过的问题
piece-comment = 批注
error-unknown-tool = 没有工具 { $name }
hint-unknown-tool = qingyu tools 列出全部工具
error-bad-arguments = { $tool } 的参数不是 JSON：{ $message }
hint-bad-arguments = qingyu tool { $project } { $tool } '{"{"}"action": …{"}"}'
tools-of-server = 服务器 { $server } 的工具
tools-server-missing = 无法取得服务器 { $server } 的工具：{ $message }
tools-how = qingyu tools 名字 查看参数；qingyu tool 项目 名字 JSON 调用。
tools-schema = 加 --json 可看完整的 JSON Schema。
tool-parameters = 参数
tool-required = 必填
tool-one-of = 可选值
schema-string = 文字
schema-integer = 整数
schema-number = 数字
schema-boolean = 是或否
schema-array = 列表
schema-object = 对象
schema-any = 任意
category-of-tools-writing = 写作
category-of-tools-analysis = 检查与统计
category-of-tools-knowledge = 知识
category-of-tools-content = 内容
category-of-tools-research = 研究
category-of-tools-admin = 管理
category-of-tools-external = 外部工具
permission-read = 只读
permission-write = 会改动项目
permission-admin = 会改动项目之外的东西
error-protocol = 客户端没有遵守协议：{ $message }
memories-none = 没有这样的记忆。
session-none = 没有记住这次会话的内容；每一轮只记一小时。
session-until = { $time } 忘掉
session-forgotten = 已忘掉 { $count } 轮
memories-how = 修改：qingyu memory edit 编号 --text …，或 --on、--off；忘掉：qingyu memory forget 编号。
memory-kind-preference = 偏好
memory-kind-history = 经历
memory-kind-knowledge = 知识
memory-standing-on = 生效
memory-standing-off = 停用
memory-standing-proposed = 待定，多见几次才生效
memory-count = 见过 { $count } 次
memory-project = 仅限 { $project }
memory-everywhere = 所有项目
memory-what-said = 说过
memory-what-approved = 通过
memory-what-rejected = 退回
memory-what-edited = 修改
memory-what-waived = 放过
memory-what-undid = 撤销
memory-forgotten = 已忘掉：{ $text }
memories-forgotten = 已忘掉 { $count } 条。
memory-forget-ask = 要忘掉关于您的全部记忆吗？[y/N]
error-unknown-prompt = 没有提示词 { $given }
error-bad-prompt = 提示词 { $name } 不能用：{ $message }
error-unknown-server = 设置里没有工具服务器 { $given }
error-unknown-memory = 没有记忆 { $given }
hint-unknown-memory = 编号见 qingyu memory list
error-bad-memory = 无法记住这一条：{ $message }（{ $what }）
error-unconfirmed = 忘掉全部记忆需要确认
hint-unconfirmed = qingyu memory forget --all --yes
search-none = 没有找到。换一种说法，或放宽条件再试。
search-names = 认出的名字
search-pattern = 图谱查询
search-vectors = 向量
search-reranked = 重排
search-fused = 合并得分 { $score }
search-keyword = 关键词第 { $rank } 位（BM25 { $score }）：{ $terms }
search-vector = 向量第 { $rank } 位（余弦 { $score }）
search-graph = 图谱第 { $rank } 位
search-quality = 质量 { $score }：{ $because }
passage-suspicious = 注意：这里有一句像是对模型下的命令，只当作资料看：{ $text }
passage-told = ：第 { $chapter } 章正文
passage-told-of = ：第 { $chapter } 章讲到
passage-planned = ：计划，不是正文
passage-hidden = ：作者的设定，读者还不知道
of-earlier-book = （《{ $title }》）
passage-place = ，第 { $version } 版，第 { $paragraph } 段起
ask-working = 正在查找材料并作答
ask-not-held = 没有在材料里找到答案。
ask-sources = 出处
ask-left-out = 另有 { $count } 段超出预算，没有用上。
ask-by-cards = 答案就在卡片和事实里，没有用模型
ask-by = 由 { $model } 回答 · { $tokens } token
index-whole = { $count } 段都有 { $embedder } 的向量。
index-behind = { $embedder } 的向量已完成 { $having } / { $count } 段，完成之前用词面向量检索。继续：qingyu index 项目
engine-part-keywords = 关键词检索
engine-part-vectors = 向量检索
engine-part-graph = 图谱
engine-part-long-term = 长期记忆
engine-part-short-term = 会话记忆
engine-behind = { $part }：{ $server } 上已有 { $copied } / { $pieces } 条，这次由内置的部分回答。继续：qingyu index 项目
engine-filling = { $part }：{ $server } 还没有填好，这次由内置的部分回答。填充：qingyu index 项目
engine-down = { $part }：{ $server } 不能用（{ $reason }），这次由内置的部分回答。
engine-unsupported = { $part }：{ $server } 做不到（{ $reason }），这次由内置的部分回答。
graph-left-out = 另有 { $count } 个未画出
error-bad-condition = 条件无法识别：{ $condition }：{ $message }
hint-bad-condition = 条件这样写：role_type = protagonist and traits contains 勇敢；也可用 in (a, b)、in 3..9、or、not 和括号；或者写成 JSON：{"{"}"traits": {"{"}"$contains": "勇敢"{"}"}{"}"}
error-unknown-search-field = 没有字段 { $given }
hint-unknown-search-field = 可用的字段：{ $known }
error-unknown-kind = 没有 { $given } 这一类
hint-unknown-kind = 可用的有：character、chapter、document、outline_node、event、location、organisation、item、relation、fact、promise、plot_node、world_rule、ladder
error-bad-pattern = 无法这样查询图谱：{ $pattern }：{ $message }
hint-bad-pattern = 例如 (x:Character)-[:enemy_of]->(a "林青") return x；时间写作 chapter:30、事件名，或故事里的时间
error-question-empty = 没有问题
hint-question-empty = 写上要找的词，或一个问题
error-question-too-long = 问题有 { $characters } 字，最多 { $limit } 字
hint-question-too-long = 只留下要问的；长文可先用 qingyu import-story 存进项目
search-emphasis = 临近写作的章节 × { $factor }

create-outline = 从大纲读出：章 { $chapters }，人物 { $characters }，地点 { $places }；其余 { $rest } 字交给规划。

# 书的导入与导出
import-working = 正在切分并保存
import-dry = 《{ $title }》：将执行以下操作
import-done = 《{ $title }》已存入项目 { $project }（第 { $change } 次改动）
import-nothing = 全部内容已在项目 { $project } 中，没有改动
import-unread = 还没有模型读过这些章节：只靠规则，查出的矛盾不多。
import-settled = 按规则读出：事实 { $facts } 条，设定 { $cards } 项，待确认 { $questions } 处
import-cast = 按说话和行动的次数认出的人物，已建卡 { $count } 张：
import-cast-unsure = 可能也是人物、没有建卡的 { $count } 个：
import-cast-one = { $name }：说话 { $speaks } 次，行动 { $acts } 次
import-encoding = 按 { $encoding } 读取：{ $by }
import-bad = 有 { $count } 个字符无法辨认，显示为 �
import-bad-place = 第 { $line } 行：{ $excerpt }
import-proof = { $proof ->
    [sequences] 有 { $valid } 个字节序列合乎此编码，{ $broken } 个残缺
    [common_characters] 其中的汉字 { $percent }% 是最常用的字；若读错编码，最多只有 15%
    [marked_letters] 其中的字母 { $percent }% 带附加符号；若读错编码，大半都会带
   *[other] 文字属于这种编码的文种
}
import-candidate = --encoding { $encoding }：{ $sample }
import-heading = 有 { $count } 章的标题形如「{ $example }」
import-apart = 另列，不入正文：{ $what }（{ $count } 行）：{ $sample }
apart-licence = 文库的许可声明
apart-credits = 制作人员
apart-update = 更新信息与分页标记
apart-advertisement = 广告
apart-caption = 图注
apart-end = 完结标记
text-encoding = { $path } 按 { $encoding } 读取（{ $by }）；无法辨认的字符：{ $bad }
import-left-out = 没有带入：{ $what }（{ $count }）
import-left-out-named = 没有带入：{ $what }（{ $count }）：{ $names }
list-more = 另有 { $count } 个
taken-by-told = 按您的指定
taken-by-mark = 文件开头有编码标记
taken-by-valid = 全部字节都合乎此编码
taken-by-nearly = 几乎全部字节都合乎此编码，文件有损坏
taken-by-look = 从内容推测
extra-pictures = 图片
extra-notes = 脚注
extra-comments = 批注
extra-readings = 注音
extra-emphasis = 下划线、删除线，以及无法标记的强调
extra-hidden = 隐藏文字
extra-deletions = 修订中删去的文字
extra-symbols = 符号字体的符号
extra-research = 书稿以外的文稿
extra-trash = 废纸篓里的文稿
extra-excluded = 项目不编入书中的文稿
extra-note-documents = 笔记
extra-document-notes = 文稿的附注
extra-synopses = 概要
extra-labels = 标签
extra-tags = 引用标记
extra-scene-titles = 场景的标题
extra-missing = 没有文件的文稿
chapter-state-new = 新
chapter-state-present = 已有
chapter-state-replaced = 新版本
chapter-state-differs = 已有，但文字不同
coverage = 共 { $total } 字符：{ $parts }
coverage-text = 正文 { $count }（{ $chapters } 章）
coverage-headings = 标题 { $count }
coverage-title = 书名与作者 { $count }
coverage-front = 卷首 { $count }
coverage-apart = 另列 { $count }
coverage-contents = 目录 { $count }
coverage-separators = 分隔符 { $count }
coverage-blank = 空白 { $count }
origin-line = 第 { $line } 行
origin-entry = { $name } 第 { $paragraph } 段
manuscript-missing = 缺第 { $numbers } 章，其后是「{ $title }」（{ $place }）
manuscript-twice = 第 { $number } 章出现两次：「{ $title }」（{ $place }）
manuscript-backwards = 第 { $after } 章之后是第 { $number } 章：「{ $title }」（{ $place }）
manuscript-one-chapter = 整部书稿（{ $characters } 字符）成了一章：没有找到标题。请用 --heading 说明标题的样子；确是一章则用 --no-split
manuscript-suspect = 像标题的一行：{ $line }
manuscript-guessed = 只凭标题的样子分出 { $count } 章，如「{ $example }」，属推测。可用 --heading 说明标题的样子，或用 --no-split 不分章
manuscript-long = 「{ $title }」有 { $characters } 字符，远多于其他各章，其中或有漏掉的标题（{ $place }）
manuscript-outside = 章外的文字有 { $characters } 字符（另列的、卷首的和目录），各章正文只有 { $text } 字符：或有正文没有读进各章
manuscript-unread = 正文里有 { $count } 行像章的标题，如「{ $example }」（{ $place }）：或有漏掉的章，可用 --heading 说明标题的样子
manuscript-no-text = 「{ $title }」没有正文（{ $place }）
manuscript-misprinted = 「{ $title }」的编号印错了，按前后各章读作 { $number }（{ $place }）
manuscript-unfound = 目录里有「{ $entry }」，正文里没有找到它的标题：这一章或许并入了「{ $title }」（{ $place }）
manuscript-truncated = { $place }不完整：读到 { $characters } 字符，最后是「{ $last }」；请换完整的一份，用 --project 和 --replace 覆盖导入
export-working = 正在导出
export-done = 《{ $title }》：{ $chapters } 章，{ $length } 字 → { $path }
export-empty = 「{ $title }」没有正文
error-bad-manuscript = { $reason ->
    [unknown_format] 无法识别文件的格式：不是纯文本、Markdown、DOCX、ODT、RTF、EPUB 或 HTML
    [project_index] 这个文件只是项目的目录，没有正文
    [not_text] 无法按 { $encoding } 读取：{ $characters } 个字符里有 { $bad } 个无法辨认
    [unknown_encoding] 没有名为 { $encoding } 的编码
    [bad_pattern] { $pattern } 不是有效的正则表达式：{ $message }
    [no_heading] 没有一行以 { $pattern } 开头
    [refused] { $place }：拒绝读取（{ $message }）
    [too_large] { $place }：超过 { $limit } { $unit }
    [protected] { $place }：受保护，无法读取
    [empty] 文件里没有文字
   *[other] { $place }：已损坏（{ $message }）
}
hint-bad-manuscript = { $reason ->
    [unknown_format] 请另存为 .txt、.md、.docx、.odt、.rtf、.epub 或 .html；.doc 和 .pdf 可用文字处理软件另存；Scrivener 或 novelWriter 项目请导入整个文件夹
    [project_index] 请单独导入 Scrivener 或 novelWriter 项目的文件夹：qingyu import 文件夹
    [not_text] 请指定编码：--encoding gbk、big5、utf-16le 等
    [unknown_encoding] 例如 utf-8、gbk、gb18030、big5、utf-16le
    [bad_pattern] 请写正则表达式，如 "第.+章" 或 "Chapter \d+"
    [no_heading] 请查看文件里标题的写法；. 和 ( 之类的符号前要加反斜杠
    [refused] 正常的书稿不会这样；请用文字处理软件重新保存，或存为纯文本
    [too_large] 请拆分，或存为纯文本
    [protected] 请另存一份没有密码和版权保护的
    [empty] 页面图片里没有文字，需要先做文字识别
   *[other] 请换一份，或重新保存
}
place-the-file = 文件
place-the-text = 正文
place-the-archive = 压缩包
place-the-project = 项目
message-it-is-no-archive = 不是压缩包
message-it-ends-in-the-middle = 内容不完整，中途断了
message-it-ends-in-the-middle-before-any-text = 内容不完整，还没到正文就断了
message-it-ends-in-the-middle-without-its-list-of-contents = 内容不完整，缺少末尾的目录
message-it-names-no-package = 没有指明内容在哪里
message-it-names-no-draft-folder = 没有指明书稿文件夹
message-it-names-no-documents-of-a-novel = 没有指明小说的文稿
message-two-entries-have-the-same-name = 有两个同名的条目
message-it-is-a-link = 是一个链接
message-its-name-leads-out-of-the-archive = 名称指向压缩包之外
message-its-entries-lie-upon-each-other = 条目互相重叠
message-it-declares-a-document-type-of-its-own = 带有自己的文档类型声明
message-must-be-at-least-n = 至少是 { $n1 }
message-must-be-between-n-and-n = 应在 { $n1 } 到 { $n2 } 之间
message-must-be-a-number-from-n-up = 应是不小于 { $n1 } 的数
message-must-be-a-number-from-n-to-n-not-n = 应是 { $n1 } 到 { $n2 } 之间的数，不能是 { $n3 }
message-needs-budget-currency-beside-it = 还要设置 budget.currency
message-that-is-no-name-of-a-setting = 没有这个设置
message-a-part-of-the-name-is-no-table = 名称中的一段不是表
message-a-setting-is-named-with-its-section-such-as-budget-tokens = 要连同所在的节一起写，例如 budget.tokens
message-a-setting-cannot-be-empty = 不能为空
message-it-cannot-be-put-into-the-file-as-that-is-written = 无法写进现有的设置文件
message-the-file-would-be-no-toml = 写入后设置文件就不是有效的 TOML 了
message-at-least-n = 至少是 { $n1 }
message-no-field-is-given = 没有给出字段
message-a-premise-or-a-title-is-needed = 需要设想或书名
message-this-run-asks-nothing = 这次运行没有提问
message-this-run-has-questions-about-chapters-approve-reject-or-decide-each = 这次运行问的是章节里的疑点：全部同意、全部拒绝，或逐个答复
message-this-run-proposes-changes-of-texts-approve-reject-or-decide-each = 这次运行提出了对文字的改动：全部同意、全部拒绝，或逐处答复
message-this-run-asks-what-to-do-next-say-so-in-words-or-approve = 这次运行问接下来做什么：用自己的话回答，或者同意
message-this-run-does-not-ask-for-a-direction = 这次运行没有要您选方向
message-no-direction-has-this-number = 没有这个编号的方向
message-this-run-asks-for-a-direction-choose-one-by-its-number-approve-to-go-on-without-one-or-reject = 这次运行要您选一个方向：给出编号，同意则不选方向继续，拒绝则另出一批
message-this-run-asks-about-its-material-approve-reject-or-edit-it = 这次运行问的是素材能否通过：同意、拒绝或修改
message-this-run-stopped-at-a-breakpoint-approve-to-continue = 这次运行停在断点处：同意后继续
message-a-key-is-one-word-of-latin-letters-digits-and-signs = 密钥是一个词，由拉丁字母、数字和符号组成
unit-bytes = 字节
unit-bytes-of-markdown = 字节的 Markdown
unit-bytes-in-a-name = 字节的名称
unit-entries = 个条目
unit-levels = 层
unit-paragraphs = 段
unit-tokens = token
error-different-text = { $project } 里有 { $count } 章文字不同：{ $titles }
hint-different-text = --replace 存为新版本；--dry-run 查看全部
error-no-chapters = { $project } 没有这些章；共有 { $chapters } 章
hint-no-chapters = 章是书中有序号的正文：qingyu show { $project }
error-file-exists = { $path } 已经存在
hint-file-exists = 用 --output 换个文件名，或用 --force 覆盖
error-not-unicode = { $name } 不是 Unicode 文本
hint-not-unicode = 请换一个名称为有效 UTF-8 的文件夹
error-clock = 本机时钟早于 1970 年
hint-clock = 请校准时钟后重试
error-not-replaceable = 没有覆盖 { $path }：它不是普通文件，或者不可写
hint-not-replaceable = 用 --output 换个文件名
error-platform-format = 这个平台要 { $wanted } 格式
hint-platform-format = --format { $wanted }
error-picture-format = 命令行把图画成 SVG，不画成 PNG
hint-picture-format = 用 --format svg，文件名以 .svg 结尾；要 PNG，在工作室（qingyu serve --open）的“关系”页点“保存为图片”
error-unwritten = 无法写入：{ $message }
error-no-mirror = 项目 { $project } 没有可以写镜像的文件夹
hint-no-mirror = 请在服务器所在的机器上设置 mirror.folder；只有本机用户的书才有镜像

# 版本与分支
diff-none = 没有差异。
error-unknown-document = 没有 { $given } 这篇正文
hint-unknown-document = 可写序号、标题、编号，或书中的位置（#4）；qingyu chapter show { $project } 列出全部
error-unknown-version = { $document } 没有第 { $version } 版，最新的是第 { $newest } 版
hint-unknown-version = qingyu diff { $project } 章 列出全部版本
goals-today = 今天
goals-book = 全书
goals-streak = 连续 { $days } 天；最长 { $longest } 天
goals-no-days = 还没有手写的字数。
goals-agents = 智能体 { $words }
mirror-done = { $folder }：第 { $version } 次改动；写了 { $written } 个文件，删了 { $removed } 个
mirror-kept = 在文件夹里改过，原样不动：{ $path }
mirror-unchanged = 没有要提交的改动。
mirror-committed = 已提交。
mirror-no-git = 没有安装 git，所以没有提交；文件已是最新。
mirror-git-failed = git 出错，没有提交：{ $message }
mirror-git-failed-there = git 出错，没有提交；原因见服务器的日志。
mirror-nothing = 文件夹里没有改动。
mirror-read = 《{ $title }》已读回，是第 { $version } 版
mirror-same = 《{ $title }》只有文件的排版不同
mirror-conflict = 《{ $title }》在文件夹和工作室里都改过。工作室的文本在 { $beside }。请把两份合到 { $path }，删掉 { $beside }，再运行一次
mirror-beside-kept = { $beside } 被改过，原样不动，因此未必是工作室的最新文本。要取得最新文本，请把它移到别处，再运行一次
mirror-not-utf8 = { $path } 不是 UTF-8 编码，没有读回，也没有覆盖。请另存为 UTF-8，再运行一次
mirror-title-taken = { $path } 没有读回：已经有叫“{ $title }”的章。请改掉文件里的标题，再运行一次
mirror-not-a-chapter = { $path } 没有读回：它不是章，不能在这里改名为“{ $title }”。请恢复文件里的标题，再运行一次
mirror-title-refused = { $path } 没有读回：不能用标题“{ $title }”（{ $message }）。请改掉文件里的标题，再运行一次
mirror-gone = { $path }：书里已经没有这一章或这张设定卡，文件原样不动
mirror-card = “{ $name }”已读回：{ $fields }
mirror-card-text = 描述
mirror-unread-fields = { $path } 没有全部读回：{ $fields }。其余已读回，文件原样不动
mirror-unread-field = { $label }（{ $reason }）
unread-name = 章节里也用到名字，请在工作室里改名
unread-unknown-field = 设定卡没有这一项
unread-missing = 文件里没有这一项，却有不认识的项
unread-not-a-number = 不是整数
unread-ambiguous = 与别的项或条目分不清
unread-only-in-studio = 只能在工作室里改
unread-empty = 文件是空的
unread-invalid = 内容不合要求
mirror-written-only = { $path } 只由工作室写出，没有读回。请恢复原样，或删掉它重新写出
mirror-deleted = { $path } 在文件夹里删掉了。书里的内容不会因此删除，文件会重新写出；要删除请在工作室里删
series-none = 这本书还没有前作或原作。添加：qingyu series add 项目 前作 [--canon]
series-kind-volume = 前作
series-kind-canon = 原作
series-gap = 离下一部相隔{ $gap }
series-shared = 两部都有：{ $names }
series-no-shared = 没有两部都有的人物
series-closed = 没有权限查看的一部
series-missing = 已删除，或这把密钥无权查看；不再对照
check-series = 对照了前作与原作：{ $titles }
check-series-missing = 没有对照（已删除，或无权查看）：{ $titles }
members-none = 这个项目还没有成员。添加：qingyu members add 项目 名字 --role comment
member-role-read = 可查看
member-role-comment = 可查看并批注
member-role-suggest = 可查看、批注并建议改法
member-role-write = 可修改项目
member-role-approve = 可修改项目并审批
member-since = 加入于 { $at }
member-seen = 最近来过 { $at }
member-never-seen = 还没来过
member-key-once = 这是 { $name } 的密钥。它只显示这一次，不会保存：请妥善转交。
member-removed = { $name } 已不是成员，密钥已收回。
ending-approver = 审批人
run-approver = 运行 { $run } 只能由 { $name } 答复。
run-no-approver = 运行 { $run } 可由任何有修改权限的人答复。
comments-none = 没有待处理的批注
comments-chapter-gone = 已删除的章
comments-deletion = → 删去
comments-words-gone = 原文已不在
comments-resolved = 已解决
comments-by-you = 你
chapters-none = 还没有章
chapters-same-number = 第 { $number } 章不止一章：{ $chapters }
chapters-changed = 记为第 { $change } 次改动；qingyu undo { $project } 可以撤销
error-ambiguous-chapter = “{ $given }”可以指好几章
hint-ambiguous-chapter = 请写其中一个：
    { $choices }
error-bad-chapter-edit = { $reason ->
    [no_title] 章要有标题
    [not_once] “{ $given }”要在这一章里正好出现一次，而且不在开头
    [no_next] “{ $given }”后面没有章了
    [name_taken] 已经有叫“{ $given }”的章
   *[other] 不能这样改：{ $message }
}
hint-bad-chapter-edit = qingyu chapter show { $project } 列出各章
restore-done = 「{ $title }」恢复为第 { $restored } 版的文字，记为第 { $version } 版
restore-nothing = 「{ $title }」现在就是第 { $restored } 版的文字
branches-none = 还没有分支。
branch-begun = 分支 { $name } 是项目 { $project }，与原项目共有第 { $change } 次及之前的改动
branch-deleted = 分支 { $name } 已删除
branch-same = 两边都没有改动。
branch-fates = 项目：{ $project }，分支：{ $branch }
branch-fate-same = 未改
branch-fate-added = 新增
branch-fate-changed = 已改
branch-fate-removed = 已删
branch-merged = 已从分支合并 { $count } 项（第 { $change } 次改动）
branch-merged-nothing = 分支里没有可合并的改动。
error-project-binned = { $project } 在回收站里，不能改动
hint-project-binned = qingyu project restore { $project }
error-project-not-binned = { $project } 不在回收站里；只有回收站里的作品才能永久删除
hint-project-not-binned = qingyu project delete { $project }
error-empty-unconfirmed = 《{ $title }》的新正文是空的，原有的正文会全部丢失
hint-empty-unconfirmed = 确实要清空，请加 --yes
error-project-unconfirmed = { $project } 将连同全部历史和运行记录永久删除
hint-project-unconfirmed = 确实要删，请加 --yes
error-series-circle = { $project } 就是这本书，或者排在这本书之后，不能作它的前作。
hint-series-circle = 查看各书的前作：qingyu series show 项目
error-bad-picture = { $reason ->
    [too_large] 图片超过 2 MB
    [none] 这张卡片还没有图片，无从说明
    [svg] 图片是 SVG，里面可能带有脚本
   *[format] 图片不是 PNG、JPEG 或 WebP
 }
hint-bad-picture = { $reason ->
    [none] 请在 --alt 之前给出图片
   *[format] 请存为不超过 2 MB 的 PNG 或 JPEG
 }
error-unknown-branch = { $project } 没有分支 { $given }
hint-unknown-branch = qingyu branch { $project } list
error-bad-branch = { $reason ->
    [taken] { $project } 已有分支 { $name }
   *[other] “{ $name }”不能作分支名
}
hint-bad-branch = 请换个名字，最多 60 字
error-branch-conflict = { $branch } 与原项目都改动了：{ $pieces }
hint-branch-conflict = 请说明以哪边为准：--take project 或 --take branch
error-no-branch-name = 没有写分支名
hint-no-branch-name = qingyu branch { $project } list 列出全部分支
error-branch-unconfirmed = 分支 { $name } 将连同记录永久删除
hint-branch-unconfirmed = 确实要删，请加 --yes
# 写章节。
agent-writer-agent = 写作
agent-chapter-review-agent = 章节审校
agent-settlement-agent = 整理入库
agent-writer = 写作
agent-settle = 整理入库
chapter-place = （本次 { $of } 章中的第 { $done } 章）
chapter-planned = 场景
chapter-plan-fallback = 只按大纲规划：{ $why }
chapter-scene-written = 第 { $scene } 场写完，已有 { $words } 字
chapter-written = 写完，{ $words } 字
chapter-fixed = 修正了 { $fixed } 处，{ $refused } 处不合适没有改
chapter-accepted = ✓ 采用，{ $words } 字
chapter-forced = ! 审校未通过，仍采用，{ $words } 字
chapter-settled = 整理入库
chapter-settled-counts = 事实 { $facts }，事件 { $events }，卡片 { $cards }，伏笔 { $promises }，待确认 { $questions }，不采信 { $rejected }
chapter-briefed = 写作说明已备好
column-number = 章
column-words = 字数
column-calls = 调用
brief-goal = 目标
brief-view = 视角
brief-words = 字数
brief-keep = 须守
brief-avoid = 须避
brief-part-style = 文风
brief-part-world = 世界
brief-part-rules = 世界规则
brief-part-settings = 设定
brief-part-chapter = 本章
brief-part-scenes = 本章场景
brief-part-planned-events = 计划中的事件
brief-part-turns = 转折
brief-part-before = 前情
brief-part-next = 后文
brief-part-ending = 上一章结尾
brief-part-cast = 人物
brief-part-relations = 关系
brief-part-promises = 未收的伏笔
brief-part-facts = 已有事实
brief-part-passages = 相关段落
brief-part-preferences = 作者偏好
brief-part-genre = 题材
brief-part-events = 事件
dimension-task = 任务
dimension-setting = 设定
dimension-timeline = 时间线
dimension-continuity = 连贯
dimension-character = 人物
dimension-logic = 情理
dimension-style = 文风
question-gate-arc = “{ $what }”写完了，接着写吗？（还有 { $left } 章）
question-gate-chapters = 已写 { $what } 章，接着写吗？（还有 { $left } 章）
question-gate-finding = 有一处问题：{ $what }。接着写吗？（还有 { $left } 章）
question-later-plan = “{ $name }”的计划不能照旧了：{ $reason }
question-later-plan-by-hand = 这条计划由您亲手写定，只有您在这里同意才会改动
question-later-plan-locked = 这条计划已由您锁住，只有您在这里同意才会改动；改后仍旧锁住
question-against-instruction = { $issue }。要改就得违背您对这一章的要求“{ $instruction }”；仍按您的要求保留吗？
question-below-floor = 这一稿没有达到一章的最低要求，仍然采用吗？
question-draft-kept = 写作期间您改过这一章；用新稿替换吗？
ask-question = y 是 · n 否 · l 以后再说 · q 全部留着：
question-unsure = 是这样吗：{ $label }？
question-same = “{ $name }”是已有的人物、事物、事件或伏笔的另一个名字吗？（{ $label }）
question-same-event = “{ $name }”和已经记下的是同一件事吗？
question-told-here = 这一章：{ $says }
question-known-chapter = 第 { $chapter } 章“{ $name }”
question-planned-chapter = 大纲计划在第 { $chapter } 章写、正文还没有写的“{ $name }”
question-same-event-how = 是：两处记作一件事，“{ $name }”是它的另一个名字。不是：另记一件事。以后再说：暂不记入。
question-which = “{ $name }”指的是谁或什么？（{ $label }）
ask-which = 编号 · n 都不是 · l 以后再说 · q 全部留着：
ask-question-again = 请输入 y、n、l 或 q
next-check = 对照各章内容检查故事
next-export = 把书导出成文件
next-correct = 修正查出的问题
next-write = 写还没有正文的章（如果还有）
next-questions = 回答问题
next-accept-all = 全部答“是”
next-refuse-all = 全部答“否”

# 任务。
task-confidence = 已核实
task-writes = 将改动这些文本：
task-more-places = 另有 { $count } 处
task-continue = 续写最后一章
task-continue-chapter = 续写 { $chapter }
ask-writes = y 写入 · n 不写 · q 以后再定：
ask-writes-again = 请输入 y、n 或 q
next-write-changes = 写入改动
next-leave-texts = 不改动文本
task-which-agent = 说不准该交给哪个智能体：
ask-agent = 编号或名称 · n 不做 · q 以后再定：
ask-agent-again = 请输入列表里的编号或名称，或者 n、q
next-agents = 自行指定智能体，依各部分的顺序
next-leave-parts = 不做这些部分


# 回放、估算、花费
run-kind-create = 创作
run-kind-write = 写作
replay-asked = 调用 { $number }：{ $purpose }（{ $model }）
replay-calls = 调用：{ $played } 次取自录制，{ $asked } 次新调用
replay-identical = ✓ 完全一致：故事与文档逐字节相同。
replay-not-identical = ✗ 与当时的结果不一致。
replay-differs = 以下内容不同：
replay-unknown = 录制没有包含当时的结果。
replay-prompts = 改动的提示词
replay-embedder = 当时用 { $embedder } 的向量检索；这次回放改用字面比较。
replay-unplayed = 录制了但没有用到
replay-more = …… 另有 { $count } 项
replay-spent = 这次花费
replay-kept = 已保存为项目 { $project }。
piece-action-create = 新增
piece-action-update = 改动
piece-action-delete = 删除
column-purpose = 调用
column-input = 输入
column-cached = 缓存
column-output = 输出
column-price = 价格
column-model = 模型
column-currency = 币种
column-date = 日期
purpose-plan-create = 安排工作
purpose-worldview-generate = 世界观
purpose-worldview-correct = 修正世界观
purpose-character-generate = 人物
purpose-character-correct = 修正人物
purpose-outline-generate = 大纲
purpose-outline-correct = 修正大纲
purpose-plot-generate = 情节
purpose-plot-correct = 修正情节
purpose-style-generate = 文风
purpose-style-correct = 修正文风
purpose-review-judge = 审校
purpose-outline-book = 全书分卷
purpose-outline-arcs = 各卷分幕
purpose-outline-chapters = 各幕分章
purpose-outline-later = 核对后面的计划
purpose-chapter-understand = 本章计划
purpose-chapter-generate = 写正文
purpose-chapter-seams = 衔接场景
purpose-chapter-review = 审读本章
purpose-chapter-fix = 修改本章
purpose-chapter-settle = 记录本章事实
purpose-analysis-judge = 数据分析
purpose-text-review-judge = 文本审核
purpose-orchestrator-split = 拆分任务
purpose-creative-general = 创作
purpose-assistant-understand = 读懂提问
purpose-assistant-answer = 回答提问
estimate-asks-nobody = 不调用模型，不花钱。
estimate-chapters = 共 { $count } 章
estimate-total = 合计
estimate-range = 总用量（token）：一切顺利 { $least }，全部重试 { $most }。
estimate-money = 价格：{ $least } 至 { $most }。
estimate-unpriced = 价格未知：{ $models }。可在设置文件的 [prices] 里填写。
estimate-how = 数字为一般情况：提示词按实际计量，回答为估计。误差约三分之一。
spending-none = 还没有花费。
spending-by-run = 运行
spending-by-project = 项目
spending-by-chapter = 章节
spending-by-agent = 智能体
spending-by-purpose = 调用
spending-by-model = 模型
spending-by-day = 日期
spending-other = 其他
spending-chapter = 第 { $chapter } 章
spending-replayed = 另有 { $calls } 次调用取自录制，不花钱。
spending-today = 今天合计：{ $tokens } token；{ $money }
prices-how = 每百万 token 的价格。可在设置文件的 [prices] 里修改或添加。
ask-raise = 新的上限（留空则停下）
ask-raise-again = 请输入一个数字。
figures-length = { $length } 字
figures-style = 文风
figures-emotion = 情感
figures-pace = 节奏
figures-quality = 质量
figures-sentences = 句子
figures-paragraphs = 段落
figures-lengths = { $count } 个，平均 { $mean } 字，中位 { $median }，离散 { $spread }，最长 { $longest }
figures-dialogue = 对话
figures-spoken = 占 { $share }，{ $count } 句，平均 { $mean } 字
figures-speakers = 说话人
figures-unnamed = { $count } 句没有写明谁说
figures-polarity = 褒贬
figures-intensity = 强度
figures-polarity-curve = 褒贬走势
figures-intensity-curve = 强度走势
figures-words = 情感词
figures-pace-mean = { $mean }（0 为慢，1 为快）；每千字 { $actions } 个动作词
figures-pace-curve = 节奏走势
figures-sentence-curve = 句长走势
figures-dialogue-curve = 对话走势
figures-action-curve = 动作走势
figures-readability = 可读性
figures-flesch = { $ease }：Flesch { $score }，年级 { $grade }（每句 { $words } 词，每词 { $syllables } 个音节）
figures-xu = { $ease }：{ $score }（每个分句 { $clause } 字，副词和连词占 { $functions }）
figures-variety = 用词变化
figures-variety-words = { $count } 个词中有 { $different } 个不同（{ $ratio }），每 { $window } 词 { $moving }，MTLD { $mtld }
figures-variety-pairs = { $count } 个字对中有 { $different } 个不同（{ $ratio }），每 { $window } 对 { $moving }，MTLD { $mtld }
feeling-joy = 喜悦
feeling-love = 喜爱
feeling-anger = 愤怒
feeling-sadness = 悲伤
feeling-fear = 恐惧
feeling-disgust = 厌恶
feeling-surprise = 惊讶
ease-easy = 易读
ease-plain = 平实
ease-dense = 较密
ease-hard = 难读
shown-longest-sentence = 最长的句子
shown-most-positive = 最正面
shown-most-negative = 最负面
shown-quickest = 最快处
shown-slowest = 最慢处

review-about = { $length } 字，{ $platform }的规则，{ $level }
level-loose = 宽松
level-standard = 标准
level-strict = 严格
review-words = 可能被拒的词：{ $count } 处
review-advice = 建议
review-copied = 与别处相同：{ $share }（{ $length } 字中的 { $copied } 字）
review-original = 与所比较的文本没有相同之处
review-source = 占本文 { $share }，{ $count } 段，最长 { $longest } 字
review-rules = 不合规则：{ $count } 条
review-more = ……另有 { $count } 条
review-total = { $total } 篇中有 { $passed } 篇通过
verdict-clean = ✓ 没有问题
verdict-passed = ✓ 通过，有提醒
verdict-failed = ✗ 须先修改
word-category-drugs = 毒品
word-category-gambling = 赌博
word-category-fraud = 诈骗
word-category-weapons = 武器
word-category-terror = 恐怖主义
word-category-gore = 血腥
word-category-sexual = 色情
word-category-minors = 未成年人
word-category-self-harm = 自伤
word-category-cults = 邪教与迷信
word-category-discrimination = 歧视
word-category-abuse = 辱骂
word-category-politics = 政治
word-category-advertising = 引流
disguise-width = 变体
disguise-traditional = 繁体
disguise-spaced = 夹杂符号
disguise-looks-alike = 形近
disguise-sounds-alike = 音近
disguise-leet = 数字代字母

stats-totals = { $chapters } 章，{ $length } 字，每章 { $chapter } 字，每句 { $sentence } 字，对话 { $dialogue }
stats-progress = 进度
stats-chapters = 章数 { $chapters }
stats-words = 字数 { $words }
stats-none = 还没有写好的章节。
stats-lengths = 各章字数
column-length = 字数
column-planned = 计划
column-sentence = 句长
column-dialogue = 对话
column-people = 人物
column-name = 姓名
column-role = 角色
column-mentions = 提及
column-chapters = 章数
column-presence = 出场
column-speeches = 说话
column-spoken = 说话字数

error-unknown-platform = 没有平台“{ $given }”的规则
hint-unknown-platform = 已有：{ $known }；也可以给出以 .toml 结尾的规则文件
error-no-text = { $given } 还没有正文
hint-no-text = 用 `qingyu write` 写章节，自己写好的用 `qingyu chapter insert --file` 放进来；`qingyu stats` 列出哪些章有正文

## 手工修改与重新整理

edit-nothing = 《{ $title }》没有变化。
edit-done = 《{ $title }》现为第 { $version } 版（{ $length } 字），见改动 { $change }。
edit-gone = 随原句一起删除：{ $count }
edit-back = 随原句一起恢复：{ $count }
edit-found = 在新段落里读到：{ $count }
edit-waiting = 原句、写明日期的话或数目改过，重读之前先照旧：{ $count }
edit-clean = 规则没有发现这一章的问题。
edit-findings = 这一章有 { $count } 处问题。
settle-kept = 这一章不再写到、但仍保留：{ $count }
stays-changed = 有人改过
stays-referred = { $by } 用到它
stays-retold = 文档 { $by } 也写到它
settle-unsure = 是这样吗？
settle-same = “{ $name }”是 { $of } 的别名吗？
settle-which = “{ $name }”可能是：{ $of }
settle-promise = 没有未收的伏笔“{ $name }”
reconcile-created = 新增：{ $count }
reconcile-changed = 改动：{ $count }
reconcile-removed = 删除：{ $count }
reconcile-questions = 待您决定：{ $count }
reconcile-done = 已存为改动 { $change }；qingyu undo 可撤销。
reconcile-pending = 尚未改动。共读 { $count } 章；加 --apply 保存。
reconcile-same = 共读 { $count } 章：故事与正文一致。

# 模型在分析或审查之上所说的。
judgement-heading = 评审的判断
judgement-none = 没有判断，以计算结果为准。
judgement-figures = 依据
judgement-suggestions = 建议
judgement-no-words = 没有检出词语，所以没有问模型。
judgement-no-doubts = 没有对任何词语提出异议，以检出结果为准。
judgement-harmless = 此处无妨
judgement-problem = 此处有问题
judgement-run = 运行
task-analyze = 分析这一章。
task-review = 发布前审核这一章。

## 内容生产

agent-production-agent = 内容制作
agent-conversation-agent = 对话
agent-production = 内容制作
agent-research = 调研
agent-consumer = 模拟读者
agent-judge = 评估
agent-research-agent = 调研
agent-consumer-agent = 模拟读者
agent-judge-agent = 评估
agent-template = 模板
autonomy-wait = 等您确认
autonomy-auto = 自动往下走
field-status-empty = 空
field-status-draft = 待确认
field-status-confirmed = 已确认
field-status-stale = 过期
field-figures = {"  "}第 { $version } 版，{ $length } 字
field-made = 第 { $version } 版
field-kept = 期间被改过，保留了改过的内容
field-path = 路径
field-state = 状态
field-version = 版本
field-maker = 由谁生成
field-depends = 依据
field-dependents = 被用于
field-input = 写作时给模型看
field-input-tokens = （约 { $tokens } token）
produce-no-voice = 还没有设定口吻：qingyu produce voice 项目 --file voice.toml
voice-client = 客户
schedule-none = 没有定时。用 --every 1w 设定。
schedule-every = 每 { $every } 一次，下次 { $next }，由运行中的服务器执行。
schedule-order = 每次做什么
schedule-next-phase = 下一个阶段
schedule-stale = 重做过期的内容
schedule-last = 上次：{ $at }，运行 { $run }：{ $status }
schedule-failed = 上次：{ $at }，没有接受：{ $message }
schedule-lost = 上次：{ $at }，服务器还没有下达就停止了。
voice-sample = 样文
voice-forbidden = 不许说
voice-term = 用词
produce-queued = 等待这个项目的另一条命令做完（运行 { $run }）。
produce-template = 模板
produce-because = 原因
produce-nothing-stale = 没有过期的内容。
produce-updated = { $path } 现在是第 { $version } 版。
produce-added = 新增字段
produce-removed = 移除字段
produce-stale = 过期
produce-written = 已写入：{ $path }
produce-too-long = { $channel } 的文本有 { $length } 字，上限 { $limit } 字。
produce-hint = 用自己的话说想要什么；/help 看命令，Ctrl-D 离开。内容随时保存。
produce-prompt = 您>
produce-left = 制作在等您，内容都已保存。继续：
next-chat = 对话、修改、继续
next-read = 查看一项内容
next-regenerate = 只重做过期的内容
next-export-content = 把内容写成文件
slash-fields = 查看阶段和字段
slash-read = 字段：查看一项内容
slash-go = 确认这个阶段，进入下一阶段
slash-phase = 阶段：回到某个阶段
slash-make = 字段 …：重做这些内容（不写就补齐本阶段的空缺）
slash-stale = 重做过期的内容
slash-research = 问题：搜索并阅读网页
slash-auto = 阶段：让它自动往下走（不写就是全部）
slash-wait = 阶段：让它等您确认（不写就是全部）
slash-quit = 离开；制作会保留
slash-end = 结束这次运行
error-bad-request = 请求的格式不对，位置「{ $path }」：{ $message }。
error-database-unreachable = 无法使用数据库服务器 { $server }：{ $message }
error-on-server = 数据库在服务器上，请用服务器自己的工具备份。
hint-database-unreachable = 请检查设置中的 storage.url（qingyu config），以及服务器是否在运行。
hint-on-server = { $command }
error-not-approver = 运行 { $run } 只能由 { $approver } 答复。
hint-not-approver = 请找 { $approver }，或另换审批人：qingyu runs approver { $run } 名字
error-unknown-approver = 「{ $given }」不能审批这个项目。
hint-unknown-approver = 可以审批的有：{ $known }。其他人要先有审批的角色：qingyu members change 项目 名字 --role approve
error-forbidden = 没有权限这样做：需要「{ $needed ->
    [read] 查看
    [comment] 批注
    [suggest] 建议改法
    [write] 修改
    [approve] 审批
    [admin] 管理
    [all_projects] 访问所有项目
    [this_machine] 本机用户
    [earlier_books] 查看这次运行参照的前作
   *[other] { $needed }
}」权限。
hint-forbidden = 请换一把有此权限的密钥。
error-run-unfinished = 运行 { $run } 中途停下了。
hint-run-unfinished = 先让它继续：qingyu resume { $run }
error-chapter-changed = { $title } 期间被改过：现在是第 { $found } 版，不是第 { $expected } 版。
hint-chapter-changed = 没有保存。请先查看现在的内容，再编辑一次。
error-field-conflict = { $path } 期间被改过：现在是第 { $found } 版，不是第 { $expected } 版。
hint-field-conflict = 请先查看（qingyu produce read），再重试。
error-production = { $reason ->
    [unknown_field] 没有「{ $given }」这一项。
    [unknown_phase] 没有「{ $given }」这个阶段。
    [no_production] 这个项目没有阶段和字段。
    [not_ready] 内容还不能发布。
    [misfit] 这个值不符合「{ $given }」的要求。
    [pattern] 「{ $given }」代表一组内容，本身没有值。
    [empty] 「{ $given }」还是空的，无法确认。
    [cycle] 有些字段互相依赖。
    [unknown_dependency] 「{ $given }」依赖的内容不存在。
    [twice] 有两个「{ $given }」。
    [bad_schema] 「{ $given }」的 schema 无效：{ $message }
    [bad_template] 模板「{ $given }」无法读取：{ $message }
    [unknown_template] 没有「{ $given }」这个模板。
    [unknown_voice] 没有「{ $given }」这种口吻。
    [bad_voice] 口吻「{ $given }」读不了：{ $message }
    [unknown_channel] 没有「{ $given }」这个渠道。
   *[bad_channel] 渠道「{ $given }」的文本无法生成：{ $message }
}
hint-production = { $reason ->
    [unknown_field] 相近的有：{ $others }
    [unknown_phase] 阶段有：{ $others }
    [no_production] 新建一个：qingyu produce new "…"；书稿可以用：qingyu produce simulate { $project }
    [not_ready] { $others }。仍要导出，请加 --draft
    [misfit] 问题在于：{ $others }
    [pattern] 写出其中一项，比如 { $given }/1。
    [cycle] 循环依赖：{ $others }
    [unknown_dependency] 它依赖 { $others }。
    [unknown_template] 模板有：{ $others }
    [unknown_voice] 口吻有：{ $others }。每一种是数据文件夹里 voices 下的一个「名字.toml」。
    [unknown_channel] 渠道有：{ $others }
   *[empty] 查看有哪些字段：qingyu produce fields { $project }
}

# 用户、密钥、审计、备份
column-user = 用户
column-user-role = 身份
column-created = 加入时间
column-at = 时间
column-action = 操作
column-object = 对象
column-origin = 来自
column-result = 结果
user-role-admin = 管理员
user-role-member = 成员
user-enabled = 可用
user-disabled = 自 { $since } 停用
keys-none = 还没有密钥。创建：qingyu keys make --name editor
key-once = 这就是密钥。它只显示这一次，不会保存：请放到程序能找到的地方。
key-right-read = 可查看
key-right-comment = 可查看并批注
key-right-suggest = 可查看、批注并建议改法
key-right-write = 可修改项目
key-right-approve = 可修改项目并审批
key-right-admin = 可修改一切
key-state-active = 有效
key-state-expired = 已过期
key-state-revoked = 已收回
key-all-projects = 所有项目
key-created = 创建于 { $at }
key-expires = 有效至 { $at }
key-revoked = 收回于 { $at }
key-revoked-members = 用这把密钥添加的成员仍然有效，不需要时请逐个移除：qingyu members list 项目
key-used = 最近使用 { $at }
key-never-used = 从未使用
limit-requests = 每分钟 { $most } 次请求
limit-runs = 同时 { $most } 个运行
limit-tokens = 每天 { $most } token
limit-money = 每天 { $most }
audit-none = 还没有任何操作。
audit-whole = 全部 { $count } 条记录完整。
audit-broken = 记录链在第 { $number } 条断开：它被改动、添加或删除。
audit-digest = 摘要
backup-made = 已复制到 { $path }（{ $size }）。
backup-schedule = 每 { $every } 一次，保留最新 { $keep } 份，在 { $path }。下一次：{ $next }
backup-no-schedule = 没有定时备份。可设置 backups.every，例如 "1d"；qingyu serve 和工作室会备份到 { $path }。
backup-on-server = 数据在 PostgreSQL 里，请用它自带的工具（如 pg_dump）备份。
backup-none = 这个文件夹里还没有备份。
backup-requested = 手动备份
backup-failed = 上次备份失败（{ $when }）：{ $message }
backup-lacks = 设置、您自己的提示词和词表、录制文件在数据库之外，不在备份里。
backup-restored = 已恢复：{ $path }
backup-replaced = 原来的数据库保存在：{ $path }
error-not-in-build = 这个程序没有 { $what } 命令：演示用的版本不含服务器。
hint-not-in-build = 请编译完整版：`make studio`，或 `cargo install --locked --path crates/qingyu-cli`。
error-only-here = { $what } 只能在数据所在的机器上使用，不能与 --server 一起使用。
hint-only-here = 请在那台机器上运行，不加 --server。
error-bad-server = { $url } 不是服务器地址：{ $message }
hint-bad-server = 例如：--server https://books.example.org
error-plain-http = 密钥将不加密地发送给 { $url }
hint-plain-http = 请使用 https://；如果中间的网络完全由您掌控，可加上 --plain-http
error-server-unreachable = 无法连接服务器 { $url }：{ $message }
hint-server-unreachable = 请检查地址，并确认服务器正在运行：qingyu serve
error-bad-answer = 无法理解 { $url } 的回答：{ $message }
hint-bad-answer = 那是青羽的服务器吗？版本是否与本命令一样新？
error-unauthorized = 需要一把有效的密钥。
hint-unauthorized = 请管理员创建：qingyu keys make
error-schedule-key-invalid = 设定定时所用的密钥已失效。
hint-schedule-key-invalid = 请用有效的密钥重新设定：qingyu produce schedule { $project } --every 1w
error-limit = { $limit ->
    [requests_per_minute] 这把密钥每分钟最多 { $most } 次请求。
    [parallel_runs] 这把密钥最多同时 { $most } 个运行。
    [tokens_per_day] 这把密钥每天最多 { $most } token。
   *[money_per_day] 这把密钥每天最多花 { $most } { $unit }（价格未知的调用：{ $uncounted }）。
}
hint-limit = 请在 { $retry_after } 秒后再试。
error-unknown-user = 没有用户 { $given }。
hint-unknown-user = 用户列表：qingyu users list
error-bad-user = { $reason ->
    [taken] 已有用户 { $given }。
   *[unfit] 「{ $given }」不能作为用户编号。
}
hint-bad-user = 编号由小写拉丁字母、数字、「.」「_」「-」组成，最多 64 个字符。
error-unknown-key = 没有密钥 { $given }。
hint-unknown-key = 密钥列表：qingyu keys list
error-bad-key = { $reason ->
    [admin_of_member] 成员不能有管理员密钥。
    [admin_of_projects] 管理员密钥不能只用于个别项目。
    [expired] 这把密钥会立即过期。
    [no_name] 请写成员的名字。
    [taken] 这个项目已有同名的成员。
    [too_many] 这个项目已有 50 位成员。请先移除一位：qingyu members remove
    [several] 有几位成员同名，请改写密钥的编号。
    [several_approvers] 有几位可以审批的成员同名。请移除其中一位，换个名字重新添加。
   *[name] 密钥的名称是一行，最多 100 个字符。
}
error-target-exists = { $path } 已经存在。
hint-target-exists = 请换一个文件名。
error-has-data = 已有数据库：{ $path }
hint-has-data = 加上 --replace 用备份取代它，原数据库保存在 backups 文件夹里。

# 运行的检查点。

checkpoints-none = 这次运行还没有检查点。
checkpoints-how = 查看某个状态：qingyu runs state { $run } --at { $checkpoint }；从某处另起一次运行：qingyu runs fork { $run } --at …
checkpoints-more = 更早的：qingyu runs history { $run } --before { $checkpoint }
checkpoint-number = 编号
checkpoint-title = 运行 { $run } 的检查点 { $checkpoint }
checkpoint-source-input = 需求
checkpoint-source-loop = 运行
checkpoint-source-update = 编辑
checkpoint-source-fork = 分叉
checkpoint-end = 到此结束
checkpoint-more-fields = 另 { $count } 项
checkpoint-count = { $count } 项
checkpoint-next = 接下来
checkpoint-failure = 失败
checkpoint-closed = 带 * 的字段不能编辑。
checkpoint-empty = 空着
checkpoint-nodes = 节点
checkpoint-edited = 运行 { $run } 的检查点 { $checkpoint } 已是改过的状态。
checkpoint-edited-fork = 做完的节点要重做，所以改动放在新的运行 { $run } 里；原来的运行保持不变。
checkpoint-forked = 运行 { $run } 从这个检查点继续；原来的运行保持不变。项目里的故事不会退回。
prompt-correction = 给 { $node } 的修正提示词
prompt-title = 第 { $superstep } 步 · { $purpose }
prompt-role-system = 系统
prompt-role-user = 请求
prompt-role-assistant = 模型
prompt-role-tool = 工具
prompt-answer = 回答
prompts-none = 这个节点在那里没有问过模型。
prompts-unrecorded = 这次运行没有录制，向模型提过什么请求已无从查起（设置 cassettes.record）。
breakpoint-title = 运行停在断点上。
breakpoint-before = 之前
breakpoint-after = 之后
ending-breakpoint = 停在断点上。
next-state = 查看状态
next-edit-state = 继续之前，改动状态
column-source = 来自
column-ran = 做了
column-written = 改了
column-next = 接下来
column-field = 字段
column-value = 值
error-unknown-checkpoint = 运行 { $run } 没有检查点 { $checkpoint }
hint-unknown-checkpoint = qingyu runs history { $run } 列出全部检查点
error-unknown-field = 运行的状态里没有可以编辑的字段 { $given }
hint-unknown-field = 可以编辑的有：{ $known }
error-unknown-node = 运行的图里没有节点 { $given }
hint-unknown-node = 现有节点：{ $known }

teardown-working = 正在读参考书……
structure-summary = { $length } 字 · 共 { $chapters } 章 · { $arcs } 幕
structure-arcs = 幕（推测）
structure-arc = 第 { $from }–{ $to } 章：高点在第 { $peak } 章，张力 { $tension }；有兑现的章：{ $payoffs }
structure-cadence = 节奏
structure-lengths = 每章字数：{ $least } 到 { $most }，居中 { $median }
structure-payoff = 平均 { $every } 章兑现一次；最长 { $wait } 章没有兑现
structure-no-payoff = 按规则没有找到兑现；题材里的兑现节奏请自己写
structure-climax = 平均 { $every } 章一次高潮
structure-no-climax = 没有明显的高潮
structure-pulling = 章末有钩子的：{ $share }
structure-rows = 最长连续：同一作用 { $function } 章，同一种结尾 { $ending } 章，张力不变 { $tension } 章
structure-openings = 开头
structure-endings = 结尾
structure-tension = 全书张力
structure-basis = 依据
structure-basis-row = { $figure }：{ $by } · { $count }
structure-how = 要照这个结构规划一部书：qingyu teardown <文件> --genre <名称>
structure-genre-saved = 已存为题材 { $genre }，里面只有数字和程序固定的词句。照它规划：qingyu create --genre { $genre } "……"
structure-figure-length = 字数（章）
structure-figure-dialogue = 对话（句）
structure-figure-stage = 在场人物（人）
structure-figure-opening = 开头（看得出形式的章）
structure-figure-ending = 结尾（看得出形式的章）
structure-figure-turn = 转折（条）
structure-figure-payoff = 兑现（章）
structure-figure-tension = 张力（章）
structure-figure-function = 作用（章）
structure-figure-arc = 幕
structure-by-count = 从正文统计
structure-by-form = 按首句和尾句的句式
structure-by-rule = 按规则，不用模型
structure-by-guess = 由快慢、情感词、人名和转折推测，只在本书内比较
column-tension = 张力
column-function = 作用
column-opening = 开头
column-ending = 结尾
column-turns = 转折
opening-kind-speech = 说话
opening-kind-question = 问句
opening-kind-arrival = 人或事到来
opening-kind-exit = 离开
opening-kind-forecast = 预告
opening-kind-calm = 平静
opening-kind-narration = 叙述
ending-kind-question = 问句
ending-kind-broken-off = 话没说完
ending-kind-sleep = 睡去或昏倒
ending-kind-exit = 离开
ending-kind-arrival = 人或事到来
ending-kind-forecast = 预告
ending-kind-calm = 平静
turn-kind-gain = 得到
turn-kind-discovery = 得知
turn-kind-victory = 取胜
turn-kind-rise = 晋升
turn-kind-return = 归来
turn-kind-loss = 失去
turn-kind-death = 死亡
turn-kind-setback = 跌落
chapter-function-climax = 高潮
chapter-function-setback = 挫折
chapter-function-payoff = 兑现
chapter-function-rest = 舒缓
chapter-function-rise = 蓄势
chapter-function-development = 推进
