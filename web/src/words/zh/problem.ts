/** What went wrong, by the server's stable codes; `other` for codes that are not listed. */
export const problem = {
  title: "没有成功",
  request: "请求编号 {{id}}",
  text_safe: "你的文字没有丢失。",
  no_connection: "连不上服务器。文字保存在这台电脑上，恢复连接后会继续。",
  unauthorized: "需要密钥才能进入。",
  forbidden: "这个密钥没有权限做这件事。",
  not_found: "没有找到：{{message}}",
  budget_exceeded: "预算已用完：{{message}}",
  rate_limited: "请求太频繁，请稍后再试。",
  overloaded: "服务器很忙，请稍后再试。",
  stopping: "服务器正在停机，请稍后再试。",
  conflict: "内容已在别处修改。",
  too_large: "内容太大。",
  other: "{{message}}",
};
